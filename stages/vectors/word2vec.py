"""params.yaml:vectors.word2vec, data/<vectors.corpus> -> data/vectors/word2vec: word2vec vectors of a corpus."""

from repline.vectors.training import word2vec
from stages import run
from stages.folders import DATA, VECTORS
from stages.vectors.settings import load
from stages.vectors.training_progress import print_epoch


def main() -> None:
    settings = load()
    folder = VECTORS / "word2vec"
    counts = word2vec(DATA / settings.corpus, folder, settings.word2vec, progress=print_epoch)["counts"]
    print(f"{folder}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
