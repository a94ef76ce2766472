"""Number the words of pairs, with their vectors: `python -m stages.supervised_unsupervised.prepare NAME`.

data/<pairs>, data/<vectors> -> data/corpora/supervised_unsupervised/NAME
"""

from repline.systems.supervised_unsupervised.corpus import write_data
from repline.systems.supervised_unsupervised.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folder = CORPORA / "supervised_unsupervised" / name
    counts = write_data(folder, settings.corpora[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
