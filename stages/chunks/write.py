"""data/<source> -> data/corpora/<name>: a parsed corpus with chunks by rules. `python -m stages.chunks.write NAME`."""

import sys
from pathlib import Path

from repline.corpora.chunks.chunk_corpus import write_chunks
from repline.errors import InputError
from repline.parameters import read
from stages import run
from stages.chunks.settings import corpora


def main() -> None:
    found = corpora(read(), "parsed")
    if len(sys.argv) != 2 or sys.argv[1] not in found:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(found)}")
    entry = found[sys.argv[1]]
    counts = write_chunks(Path("data") / entry["source"], Path("data/corpora") / entry["name"], by="parse")["counts"]
    print(f"data/corpora/{entry['name']}: {counts['chunks']:,} chunks in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
