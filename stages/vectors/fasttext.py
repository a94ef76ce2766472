"""params.yaml:vectors.fasttext, data/<vectors.corpus> -> data/vectors/fasttext: fastText vectors of a corpus."""

from repline.vectors.training import fasttext
from stages import run
from stages.folders import DATA, VECTORS
from stages.vectors.settings import load
from stages.vectors.training_progress import print_epoch


def main() -> None:
    settings = load()
    folder = VECTORS / "fasttext"
    counts = fasttext(DATA / settings.corpus, folder, settings.fasttext, progress=print_epoch)["counts"]
    print(f"{folder}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
