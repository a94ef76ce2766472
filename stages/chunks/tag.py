"""data/<source> -> data/corpora/<name>: text without a parse, chunked by a trained tagger.

`python -m stages.chunks.tag NAME`, for an entry of params.yaml:chunks.tagged.
"""

import sys
from pathlib import Path

from repline.corpora.chunks.chunk_corpus import write_chunks
from repline.errors import InputError
from repline.parameters import read
from stages import run
from stages.chunks.settings import corpora

TAGGERS = Path("data/models/chunk_tagger")


def main() -> None:
    found = corpora(read(), "tagged")
    if len(sys.argv) != 2 or sys.argv[1] not in found:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(found)}")
    entry = found[sys.argv[1]]
    folder = Path("data/corpora") / entry["name"]
    counts = write_chunks(
        Path("data") / entry["source"],
        folder,
        by="tagger",
        tagger=TAGGERS / entry["tagger"],
        parse=entry.get("parse", False),
    )["counts"]
    print(f"{folder}: {counts['chunks']:,} chunks in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
