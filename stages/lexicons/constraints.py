"""data/<place> -> data/lexicons/constraints/NAME: synonym and antonym pairs of one entry of lexicons.constraints."""

from repline.lexicons.constraints import write_constraint_set
from stages import run
from stages.argument import argument
from stages.folders import DATA, LEXICONS
from stages.lexicons.settings import load


def main() -> None:
    constraints = load().constraints
    name = argument("a name of lexicons.constraints", constraints)
    folder = LEXICONS / "constraints" / name
    counts = write_constraint_set(folder, constraints[name], DATA)
    print(f"{folder}: {counts['synonyms']} pairs of synonyms, {counts['antonyms']} of antonyms")


if __name__ == "__main__":
    run(main)
