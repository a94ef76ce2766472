"""data/<source> -> data/corpora/<name>: text without a parse, chunked by a trained tagger.

`python -m stages.chunks.tag NAME`, for an entry of params.yaml:chunks.tagged.
"""

from pathlib import Path

from repline.corpora.chunks.chunk_corpus import write_chunks
from stages import run
from stages.argument import argument
from stages.chunks import settings

TAGGERS = Path("data/models/chunk_tagger")


def main() -> None:
    tagged = settings.load().tagged
    name = argument("the name of a corpus", tagged)
    tagged_corpus, folder = tagged[name], Path("data/corpora") / name
    tagger = TAGGERS / tagged_corpus.tagger
    counts = write_chunks(
        Path("data") / tagged_corpus.source, folder, by="tagger", tagger=tagger, parse=tagged_corpus.parse
    )["counts"]
    print(f"{folder}: {counts['chunks']:,} chunks in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
