"""params.yaml:vectors.fasttext, data/<vectors.corpus> -> data/vectors/fasttext: fasttext vectors of a corpus."""

from repline.parameters import bind, read, section
from repline.vectors.training import fasttext
from stages import run
from stages.vectors.training_corpus import corpus, print_epoch

VECTORS = "data/vectors/fasttext"


def main() -> None:
    parameters = bind(fasttext, section(read(), "vectors.fasttext"), "vectors.fasttext", given=("progress",))
    counts = fasttext(corpus(), VECTORS, progress=print_epoch, **parameters)["counts"]
    print(f"{VECTORS}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
