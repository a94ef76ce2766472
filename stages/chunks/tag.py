"""data/<source> -> data/corpora/<name>: text without a parse, chunked by a trained tagger.

`python -m stages.chunks.tag NAME`, for an entry of params.yaml:chunks.tagged.
"""

import sys
from pathlib import Path

from repline.corpora.chunks.chunk_corpus import write_chunks
from repline.errors import InputError
from stages import run
from stages.chunks import settings

TAGGERS = Path("data/models/chunk_tagger")


def main() -> None:
    tagged = settings.load().tagged
    if len(sys.argv) != 2 or sys.argv[1] not in tagged:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(tagged)}")
    own, folder = tagged[sys.argv[1]], Path("data/corpora") / sys.argv[1]
    tagger = TAGGERS / own.tagger
    counts = write_chunks(Path("data") / own.source, folder, by="tagger", tagger=tagger, parse=own.parse)["counts"]
    print(f"{folder}: {counts['chunks']:,} chunks in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
