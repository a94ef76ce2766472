"""Sentences of your own by a trained model: `python -m stages.multilingual_seq2seq.translate MODEL TEXTS.txt LANGUAGE`.

Prints the translation of each line into the language; `--vectors OUT.npy` writes the vectors [N, d] of the sentences.
"""

import argparse
from pathlib import Path

from repline.systems.multilingual_seq2seq.translation import translate_file
from stages import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.multilingual_seq2seq.translate", description=__doc__)
    parser.add_argument("model", type=Path, help="a folder of data/models/multilingual_seq2seq")
    parser.add_argument("texts", type=Path, help="a text a line, of any language that the model knows")
    parser.add_argument("language", help="the one to translate into")
    parser.add_argument("--beam", type=int, default=5, help="hypotheses; 1 is greedy")
    parser.add_argument("--tokens", choices=["words", "characters", "blanks"], default="words", help="of the texts")
    parser.add_argument("--vectors", type=Path, help="where to write the sentences' vectors")
    arguments = vars(parser.parse_args())
    for line in translate_file(arguments.pop("model"), arguments.pop("texts"), arguments.pop("language"), **arguments):
        print(line)


if __name__ == "__main__":
    run(main)
