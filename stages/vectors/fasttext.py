"""params.yaml:vectors.fasttext, data/<vectors.corpus> -> data/vectors/fasttext: fasttext vectors of a corpus."""

from pathlib import Path

from repline.vectors.training import fasttext
from stages import run
from stages.vectors.settings import read
from stages.vectors.training_progress import print_epoch

VECTORS = "data/vectors/fasttext"


def main() -> None:
    settings = read()
    counts = fasttext(Path("data") / settings.corpus, VECTORS, settings.fasttext, progress=print_epoch)["counts"]
    print(f"{VECTORS}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
