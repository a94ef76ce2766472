"""Label pairs of your own with a trained model: `python -m stages.definition_nli.predict MODEL PAIRS.tsv`.

`--dictionary MINE.tsv` adds definitions, `--vectors data/vectors/NAME` vectors of words that training did not have.
Prints a label, a tab and the line's two sentences for each line of PAIRS.tsv.
`repline predict` gives probabilities, too.
"""

import argparse
from pathlib import Path

import repline
from repline.corpora.sentence_pairs.pair_tables import fields
from repline.lexicons.definitions import read_definitions
from repline.reading.text_files import numbered_lines
from stages import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.definition_nli.predict", description=__doc__)
    parser.add_argument("model", type=Path, help="a folder of data/models/definition_nli")
    parser.add_argument("pairs", type=Path, help="premise, tab, hypothesis a line")
    parser.add_argument("--dictionary", type=Path, help="headword, tab, definition a line")
    parser.add_argument("--vectors", type=Path, help="a folder of data/vectors")
    arguments = parser.parse_args()
    model = repline.load(arguments.model)
    if arguments.vectors is not None:
        model.use_vectors(arguments.vectors)
    texts = {} if arguments.dictionary is None else read_definitions(arguments.dictionary, lambda text: [text])
    definitions = {word: " ".join(lines) for word, lines in texts.items()}
    lines = [(number, line) for number, line in numbered_lines(arguments.pairs) if line.strip()]
    pairs = [fields(arguments.pairs, number, line, 2)[:2] for number, line in lines]
    for answer, (_, line) in zip(model.classify(pairs, definitions), lines, strict=True):
        print(f"{answer.label}\t{line}")


if __name__ == "__main__":
    run(main)
