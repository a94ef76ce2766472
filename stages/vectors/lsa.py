"""params.yaml:vectors.lsa, data/<vectors.corpus> -> data/vectors/lsa: words in the space of their documents."""

from repline.vectors.lsa import lsa
from stages import run, threads
from stages.folders import DATA, VECTORS
from stages.vectors.settings import load


def main() -> None:
    settings = load()
    folder = VECTORS / "lsa"
    counts = lsa(DATA / settings.corpus, folder, settings.lsa, threads=threads())["counts"]
    print(
        f"{folder}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['contexts']:,} contexts"
    )


if __name__ == "__main__":
    run(main)
