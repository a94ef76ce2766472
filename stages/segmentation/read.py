"""data/<source> -> data/corpora/<name>: text whose words are separated already.

`python -m stages.segmentation.read NAME`, for an entry of params.yaml:segmentation.segmented.
"""

from repline.corpora.segmented_lines import write_corpus
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA, DATA
from stages.segmentation.settings import load


def main() -> None:
    corpora = load().segmented
    name = argument("the name of a corpus", corpora)
    folder = CORPORA / name
    progress = counter("sentences", "words")
    counts = write_corpus(DATA / corpora[name].source, folder, corpora[name], progress=progress)["counts"]
    print(f"{folder}: {counts['sentences']:,} sentences, {counts['tokens']:,} words")


if __name__ == "__main__":
    run(main)
