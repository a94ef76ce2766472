"""params.yaml:vectors.lsa, data/<vectors.corpus> -> data/vectors/lsa: words in the space of their documents."""

from pathlib import Path

from repline.parameters import bind
from repline.vectors.lsa import lsa
from stages import run, threads
from stages.vectors.settings import read

VECTORS = "data/vectors/lsa"


def main() -> None:
    settings = read()
    parameters = bind(lsa, settings.lsa, "vectors.lsa", given=("threads",))
    counts = lsa(Path("data") / settings.corpus, VECTORS, threads=threads(), **parameters)["counts"]
    print(
        f"{VECTORS}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['contexts']:,} contexts"
    )


if __name__ == "__main__":
    run(main)
