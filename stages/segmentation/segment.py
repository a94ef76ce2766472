"""data/<source> -> data/corpora/<name>: raw lines, segmented into words.

`python -m stages.segmentation.segment NAME`, for an entry of params.yaml:segmentation.corpora.
"""

from repline.corpora.segmented_text import segment
from stages import run, threads
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA, DATA
from stages.segmentation.settings import load


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    text, folder = corpora[name], CORPORA / name
    progress = counter("sentences", "words")
    counts = segment(DATA / text.source, folder, text, processes=threads(), progress=progress)["counts"]
    print(f"{folder}: {counts['sentences']:,} sentences, {counts['tokens']:,} words")


if __name__ == "__main__":
    run(main)
