"""Number the texts of a further test by a vocabulary: `python -m stages.multilingual_seq2seq.prepare_test NAME`.

data/<texts>, data/corpora/multilingual_seq2seq/<corpus> -> data/corpora/multilingual_seq2seq/NAME
"""

from repline.systems.multilingual_seq2seq.corpus import write_test
from repline.systems.multilingual_seq2seq.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA


def main() -> None:
    tests = load().tests
    name = argument("the name of a test", tests)
    corpora, test = CORPORA / "multilingual_seq2seq", tests[name]
    counts = write_test(DATA / test.texts, corpora / test.corpus, corpora / name, name=name)["counts"]
    print(f"{corpora / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
