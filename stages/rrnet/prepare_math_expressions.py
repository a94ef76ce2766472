"""rrnet.corpora.math_expressions -> data/corpora/math_expressions: bracketed expressions with values of two digits."""

from repline.cards import read_card
from repline.systems.rrnet.math_expressions import SPLITS, generate
from repline.systems.rrnet.settings import load
from stages import run
from stages.folders import CORPORA

FOLDER = CORPORA / "math_expressions"


def main() -> None:
    generate(FOLDER, load().corpora.math_expressions)
    counts = read_card(FOLDER)["counts"]
    print(f"{FOLDER}: " + ", ".join(f"{counts[f'{split}_expressions']:,} {split} expressions" for split in SPLITS))


if __name__ == "__main__":
    run(main)
