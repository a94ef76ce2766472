"""Build one corpus for language modelling: `python -m stages.language_modeling.build language_modeling`.

data/<source> -> data/corpora/<name>: numbered words in train, validation and test.
"""

from repline.corpora.language_modeling.corpus import SPLITS, build
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA
from stages.language_modeling.settings import load


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    counts = build(DATA / corpora[name].source, CORPORA / name, corpora[name])["counts"]
    sizes = ", ".join(f"{counts[f'{split}_tokens']:,} {split}" for split in SPLITS)
    print(f"{CORPORA / name}: {sizes} tokens, {counts['vocabulary']:,} words")


if __name__ == "__main__":
    run(main)
