"""rrnet.corpora.propositional_logic -> data/corpora/propositional_logic: pairs of formulas, how they relate."""

from repline.cards import read_card
from repline.systems.rrnet.propositional_logic import SPLITS, generate
from repline.systems.rrnet.settings import load
from stages import run
from stages.folders import CORPORA

FOLDER = CORPORA / "propositional_logic"


def main() -> None:
    generate(FOLDER, load().corpora.propositional_logic)
    counts = read_card(FOLDER)["counts"]
    print(f"{FOLDER}: " + ", ".join(f"{counts[f'{split}_pairs']:,} {split} pairs" for split in SPLITS))


if __name__ == "__main__":
    run(main)
