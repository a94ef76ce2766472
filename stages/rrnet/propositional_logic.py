"""rrnet.corpora.propositional_logic -> data/corpora/propositional_logic: pairs of formulas, how they relate."""

from repline.systems.rrnet import propositional_logic
from stages import run
from stages.rrnet.generate import make


def main() -> None:
    make("propositional_logic", propositional_logic.generate)


if __name__ == "__main__":
    run(main)
