"""data/<source> -> data/corpora/<name>: raw lines, segmented into words.

`python -m stages.segmentation.segment NAME`, for an entry of params.yaml:segmentation.corpora.
"""

from pathlib import Path

from repline import parameters
from repline.corpora.segmented_text import segment
from stages import run, threads
from stages.argument import argument
from stages.counter import counter
from stages.segmentation.settings import AT, Corpus, Settings


def main() -> None:
    model = parameters.signature(segment, given=("processes", "executor", "progress"), base=Corpus)
    corpora = parameters.variants(model, {}, parameters.load(Settings, AT).corpora, AT, "corpora")
    name = argument("the name of a corpus", corpora)
    knobs = corpora[name]
    source, folder = Path("data") / knobs.pop("source"), Path("data/corpora") / name
    card = segment(source, folder, processes=threads(), progress=counter("sentences", "words"), **knobs)
    print(f"{folder}: {card['counts']['sentences']:,} sentences, {card['counts']['tokens']:,} words")


if __name__ == "__main__":
    run(main)
