"""Names by types -> data/corpora/<name>: a label set. `python -m stages.name_types.labels NAME`.

data/<source> and data/<frequencies>, for an entry of params.yaml:name_types.labels.
"""

from pathlib import Path

from repline.corpora.freebase.label_sets import write_label_set
from stages import run
from stages.argument import argument
from stages.name_types import settings


def main() -> None:
    sets = settings.labels(settings.load())
    name = argument("the name of a label set", sets)
    knobs, folder = sets[name], Path("data/corpora") / name
    source, frequencies = (Path("data") / knobs.pop(name) for name in ("source", "frequencies"))
    counts = write_label_set(source, folder, frequencies=frequencies, **knobs)["counts"]
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    run(main)
