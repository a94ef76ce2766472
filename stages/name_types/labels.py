"""Names by types -> data/corpora/<name>: a label set. `python -m stages.name_types.labels NAME`.

data/<source> and data/<frequencies>, for an entry of params.yaml:name_types.labels.
"""

from repline.corpora.freebase.label_sets import write_label_set
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.name_types.settings import load


def main() -> None:
    label_sets = load().labels
    name = argument("the name of a label set", label_sets)
    folder = CORPORA / name
    counts = write_label_set(folder, label_sets[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    run(main)
