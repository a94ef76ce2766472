"""How alike two sentences of your own are: `python -m stages.conversations.similar MODEL PAIRS.tsv`.

Prints the similarity (0 for the same direction, down to -pi), a tab and the line, for each line of PAIRS.tsv.
"""

import argparse
from pathlib import Path

from repline.systems.conversations.own_pairs import own_similarities
from stages import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.conversations.similar", description=__doc__)
    parser.add_argument("model", type=Path, help="a folder of data/models/conversations, such as .../both/seed-0")
    parser.add_argument("pairs", type=Path, help="sentence, tab, sentence a line")
    options = parser.parse_args()
    for similarity, line in own_similarities(options.model, options.pairs):
        print(f"{similarity:.4f}\t{line}")


if __name__ == "__main__":
    run(main)
