"""Names by types -> data/corpora/<name>: a label set. `python -m stages.name_types.labels NAME`.

data/<source> and data/<frequencies>, for an entry of params.yaml:name_types.labels.
"""

import sys
from pathlib import Path

from repline.corpora.freebase.label_sets import write_label_set
from repline.errors import InputError
from stages import run
from stages.name_types import settings


def main() -> None:
    sets = settings.labels(settings.load())
    if len(sys.argv) != 2 or sys.argv[1] not in sets:
        raise InputError(f"expected the name of a label set, one of: {', '.join(sets) or 'none is named'}")
    knobs, folder = sets[sys.argv[1]], Path("data/corpora") / sys.argv[1]
    source, frequencies = (Path("data") / knobs.pop(name) for name in ("source", "frequencies"))
    counts = write_label_set(source, folder, frequencies=frequencies, **knobs)["counts"]
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    run(main)
