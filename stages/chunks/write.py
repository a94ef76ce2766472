"""data/<source> -> data/corpora/<name>: a parsed corpus with chunks by rules. `python -m stages.chunks.write NAME`."""

from pathlib import Path

from repline.corpora.chunks.chunk_corpus import write_chunks
from stages import run
from stages.argument import argument
from stages.chunks import settings


def main() -> None:
    parsed = settings.load().parsed
    name = argument("the name of a corpus", parsed)
    folder = Path("data/corpora") / name
    counts = write_chunks(Path("data") / parsed[name].source, folder, by="parse")["counts"]
    print(f"{folder}: {counts['chunks']:,} chunks in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
