"""Texts -> numbers of one vocabulary, split: `python -m stages.multilingual_seq2seq.prepare NAME`.

data/<texts> -> data/corpora/multilingual_seq2seq/NAME
"""

from pathlib import Path

from repline.systems.multilingual_seq2seq.corpus import write_data
from repline.systems.multilingual_seq2seq.settings import read
from stages import run
from stages.argument import argument
from stages.multilingual_seq2seq.places import CORPORA


def main() -> None:
    corpora = read().corpora
    name = argument("the name of a corpus", corpora)
    knobs = dict(corpora[name].data)
    counts = write_data(Path("data") / knobs.pop("texts"), CORPORA / name, **knobs)["counts"]
    print(f"{CORPORA / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
