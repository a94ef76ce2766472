"""params.yaml:vectors.lsa, data/<vectors.corpus> -> data/vectors/lsa: words in the space of their documents."""

from repline.parameters import bind, read, section
from repline.vectors.lsa import lsa
from stages import run, threads
from stages.vectors.training_corpus import corpus

VECTORS = "data/vectors/lsa"


def main() -> None:
    parameters = bind(lsa, section(read(), "vectors.lsa"), "vectors.lsa", given=("threads",))
    counts = lsa(corpus(), VECTORS, threads=threads(), **parameters)["counts"]
    print(
        f"{VECTORS}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['contexts']:,} contexts"
    )


if __name__ == "__main__":
    run(main)
