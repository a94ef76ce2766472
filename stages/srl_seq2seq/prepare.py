"""Sentences with roles -> data/corpora/srl_seq2seq/NAME: `python -m stages.srl_seq2seq.prepare NAME`."""

from repline.systems.srl_seq2seq.corpus import write_data
from repline.systems.srl_seq2seq.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folder = CORPORA / "srl_seq2seq" / name
    counts = write_data(folder, settings.corpora[name], settings.vectors)["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
