"""Sentences with roles -> data/corpora/srl_seq2seq/NAME: `python -m stages.srl_seq2seq.prepare NAME`."""

from pathlib import Path

from repline.systems.srl_seq2seq.corpus import write_data
from repline.systems.srl_seq2seq.settings import Source, read
from stages import run
from stages.argument import argument
from stages.srl_seq2seq.places import CORPORA


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    own = settings.corpora[name]
    knobs = {key: value for key, value in own.items() if key not in Source.model_fields}
    places = {"roles": Path("data") / own["roles"], "vectors": Path("data") / settings.vectors}
    counts = write_data(CORPORA / name, **places, **knobs)["counts"]
    print(f"{CORPORA / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
