"""params.yaml:vectors.word2vec, data/<vectors.corpus> -> data/vectors/word2vec: word2vec vectors of a corpus."""

from pathlib import Path

from repline.vectors.training import word2vec
from stages import run
from stages.vectors.settings import read
from stages.vectors.training_progress import print_epoch

VECTORS = "data/vectors/word2vec"


def main() -> None:
    settings = read()
    counts = word2vec(Path("data") / settings.corpus, VECTORS, settings.word2vec, progress=print_epoch)["counts"]
    print(f"{VECTORS}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
