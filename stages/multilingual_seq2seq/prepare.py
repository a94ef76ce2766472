"""Number texts by one vocabulary, and split them: `python -m stages.multilingual_seq2seq.prepare NAME`.

data/<texts> -> data/corpora/multilingual_seq2seq/NAME
"""

from repline.systems.multilingual_seq2seq.corpus import write_data
from repline.systems.multilingual_seq2seq.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    folder, data = CORPORA / "multilingual_seq2seq" / name, corpora[name].data
    counts = write_data(DATA / data.texts, folder, data)["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
