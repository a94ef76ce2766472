"""data/<source> -> data/corpora/<name>: a parsed corpus with chunks by rules. `python -m stages.chunks.write NAME`."""

import sys
from pathlib import Path

from repline.corpora.chunks.chunk_corpus import write_chunks
from repline.errors import InputError
from stages import run
from stages.chunks import settings


def main() -> None:
    parsed = settings.load().parsed
    if len(sys.argv) != 2 or sys.argv[1] not in parsed:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(parsed)}")
    folder = Path("data/corpora") / sys.argv[1]
    counts = write_chunks(Path("data") / parsed[sys.argv[1]].source, folder, by="parse")["counts"]
    print(f"{folder}: {counts['chunks']:,} chunks in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
