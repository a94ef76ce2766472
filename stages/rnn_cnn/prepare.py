"""Ordered text -> data/corpora/rnn_cnn/NAME, numbered words: `python -m stages.rnn_cnn.prepare NAME`."""

from pathlib import Path

from repline.systems.rnn_cnn.corpus import write_corpus
from repline.systems.rnn_cnn.settings import read, text_of
from stages import run
from stages.argument import argument
from stages.rnn_cnn.places import CORPORA


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    text, knobs = text_of(settings, name)
    sources = [Path("data") / source for source in text.sources]
    counts = write_corpus(CORPORA / name, sources=sources, **knobs)["counts"]
    print(f"{CORPORA / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
