"""Label pairs of your own with a trained model: `python -m stages.definition_nli.predict MODEL PAIRS.tsv`.

`--dictionary MINE.tsv` adds definitions, `--vectors data/vectors/NAME` vectors of words that training did not have.
Prints a label, a tab and the line's two sentences for each line of PAIRS.tsv.
"""

import argparse
from pathlib import Path

from repline.systems.definition_nli.prediction import predict
from repline.text_files import numbered_lines
from stages import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.definition_nli.predict", description=__doc__)
    parser.add_argument("model", type=Path, help="a folder of data/models/definition_nli")
    parser.add_argument("pairs", type=Path, help="premise, tab, hypothesis a line")
    parser.add_argument("--dictionary", type=Path, help="headword, tab, definition a line")
    parser.add_argument("--vectors", type=Path, help="a folder of data/vectors")
    arguments = parser.parse_args()
    labels = predict(arguments.model, arguments.pairs, arguments.dictionary, arguments.vectors)
    lines = (line for _, line in numbered_lines(arguments.pairs) if line.strip())
    for label, line in zip(labels, lines, strict=True):
        print(f"{label}\t{line}")


if __name__ == "__main__":
    run(main)
