"""Texts of a further test -> numbers of a corpus's vocabulary: `python -m stages.multilingual_seq2seq.number NAME`.

data/<texts>, data/corpora/multilingual_seq2seq/<corpus> -> data/corpora/multilingual_seq2seq/NAME
"""

from pathlib import Path

from repline.systems.multilingual_seq2seq.corpus import write_test
from repline.systems.multilingual_seq2seq.settings import read
from stages import run
from stages.argument import argument
from stages.multilingual_seq2seq.places import CORPORA


def main() -> None:
    tests = read().tests
    name = argument("the name of a test", tests)
    texts = Path("data") / tests[name].texts
    counts = write_test(texts, CORPORA / tests[name].corpus, CORPORA / name, name=name)["counts"]
    print(f"{CORPORA / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
