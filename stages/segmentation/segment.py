"""data/<source> -> data/corpora/<name>: raw lines, segmented into words.

`python -m stages.segmentation.segment NAME`, for an entry of params.yaml:segmentation.corpora.
"""

import sys
from pathlib import Path

from repline import parameters
from repline.corpora.segmented_text import segment
from repline.errors import InputError
from stages import run, threads
from stages.counter import counter
from stages.segmentation.settings import AT, Corpus, Settings


def main() -> None:
    model = parameters.signature(segment, given=("processes", "executor", "progress"), base=Corpus)
    corpora = parameters.variants(model, {}, parameters.load(Settings, AT).corpora, AT, "corpora")
    if len(sys.argv) != 2 or sys.argv[1] not in corpora:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(corpora) or 'none is named'}")
    name = sys.argv[1]
    knobs = corpora[name]
    source, folder = Path("data") / knobs.pop("source"), Path("data/corpora") / name
    card = segment(source, folder, processes=threads(), progress=counter("sentences", "words"), **knobs)
    print(f"{folder}: {card['counts']['sentences']:,} sentences, {card['counts']['tokens']:,} words")


if __name__ == "__main__":
    run(main)
