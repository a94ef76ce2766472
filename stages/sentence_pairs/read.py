"""data/<source> -> data/corpora/<name>: pairs of sentences. `python -m stages.sentence_pairs.read NAME`."""

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA
from stages.sentence_pairs.settings import load


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    folder = CORPORA / name
    counts = write_pairs(DATA / corpora[name].source, folder, corpora[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
