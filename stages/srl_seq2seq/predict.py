"""Label sentences of your own with a trained model: `python -m stages.srl_seq2seq.predict MODEL SENTENCES.txt`.

A sentence a line, words between blanks, <PRED> before the predicate. Prints each sentence with brackets of roles.
"""

import argparse
from pathlib import Path

from repline.systems.srl_seq2seq.prediction import predict
from stages import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.srl_seq2seq.predict", description=__doc__)
    parser.add_argument("model", type=Path, help="a folder of data/models/srl_seq2seq")
    parser.add_argument("sentences", type=Path, help="a sentence a line, <PRED> before its predicate")
    parser.add_argument("--constrained", action="store_true", help="hold words and brackets in order")
    arguments = parser.parse_args()
    for line in predict(arguments.model, arguments.sentences, arguments.constrained):
        print(line)


if __name__ == "__main__":
    run(main)
