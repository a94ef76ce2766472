"""data/<source> -> data/corpora/<name>: lemmas with names written anew. `python -m stages.entities.rewrite NAME`."""

import sys
from pathlib import Path

from repline.corpora.entities.name_rewriting import write_rewritten
from repline.errors import InputError
from stages import run
from stages.entities import settings


def main() -> None:
    corpora = settings.rewritten(settings.load())
    if len(sys.argv) != 2 or sys.argv[1] not in corpora:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(corpora) or 'none is named'}")
    knobs, folder = corpora[sys.argv[1]], Path("data/corpora") / sys.argv[1]
    counts = write_rewritten(Path("data") / knobs.pop("source"), folder, **knobs)["counts"]
    print(f"{folder}: {counts['tokens']:,} tokens in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
