"""data/<source> -> data/corpora/<name>: text whose words are set apart already.

`python -m stages.segmentation.read NAME`, for an entry of params.yaml:segmentation.segmented.
"""

from pathlib import Path

from repline import parameters
from repline.corpora.segmented_lines import write_corpus
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.segmentation.settings import AT, Corpus, Settings


def main() -> None:
    model = parameters.signature(write_corpus, given=("progress",), base=Corpus)
    corpora = parameters.variants(model, {}, parameters.load(Settings, AT).segmented, AT, "segmented")
    name = argument("the name of a corpus", corpora)
    knobs = corpora[name]
    source, folder = Path("data") / knobs.pop("source"), Path("data/corpora") / name
    card = write_corpus(source, folder, progress=counter("sentences", "words"), **knobs)
    print(f"{folder}: {card['counts']['sentences']:,} sentences, {card['counts']['tokens']:,} words")


if __name__ == "__main__":
    run(main)
