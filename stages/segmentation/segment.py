"""data/<source> -> data/corpora/<name>: raw lines, segmented into words.

`python -m stages.segmentation.segment NAME`, for an entry of params.yaml:segmentation.corpora.
"""

import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.corpora.segmented_text import segment
from repline.errors import InputError
from repline.parameters import Section
from stages import run, threads
from stages.counter import counter

AT = "segmentation"


class Corpus(Section):
    """The fields of a corpus besides the parameters of `segment`."""

    source: str  # a text file in data/, or a folder with *.txt or *.txt.gz


class Settings(Section):
    """The section `segmentation`: corpora by their names, folders of data/corpora."""

    corpora: dict[str, dict[str, Any]]


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
