"""Pairs and the vectors of their words: `python -m stages.supervised_unsupervised.prepare NAME`.

data/<pairs>, data/<vectors> -> data/corpora/supervised_unsupervised/NAME
"""

from pathlib import Path

from repline.systems.supervised_unsupervised.corpus import write_data
from repline.systems.supervised_unsupervised.settings import read
from stages import run
from stages.argument import argument
from stages.supervised_unsupervised.places import CORPORA


def main() -> None:
    corpora = read().corpora
    name = argument("the name of a corpus", corpora)
    knobs = dict(corpora[name])
    knobs["pairs"] = [Path("data") / pairs for pairs in dict.fromkeys(knobs["pairs"])]
    knobs["vectors"] = Path("data") / knobs["vectors"]
    counts = write_data(CORPORA / name, **knobs)["counts"]
    print(f"{CORPORA / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
