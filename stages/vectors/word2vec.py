"""params.yaml:vectors.word2vec, data/<vectors.corpus> -> data/vectors/word2vec: word2vec vectors of a corpus."""

from repline.parameters import bind, read, section
from repline.vectors.training import word2vec
from stages import run
from stages.vectors.training_corpus import corpus, print_epoch

VECTORS = "data/vectors/word2vec"


def main() -> None:
    parameters = bind(word2vec, section(read(), "vectors.word2vec"), "vectors.word2vec", given=("progress",))
    counts = word2vec(corpus(), VECTORS, progress=print_epoch, **parameters)["counts"]
    print(f"{VECTORS}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
