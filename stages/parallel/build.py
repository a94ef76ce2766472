"""data/<source> -> data/corpora/<name>: texts and their translations, segmented into words.

`python -m stages.parallel.build NAME`, for an entry of params.yaml:parallel.corpora.
"""

from repline.corpora.parallel.bitext import build
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA, DATA
from stages.parallel.settings import load


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    corpus, folder = corpora[name], CORPORA / name
    card = build(DATA / corpus.source, folder, corpus, progress=counter("pairs", "words"))
    counts = card["counts"]
    left_out = ", ".join(f"{counts[why]:,} {why}" for why in ("untranslated", "duplicates") if counts.get(why))
    print(f"{folder}: {counts['pairs']:,} pairs" + (f" (left out: {left_out})" if left_out else ""))


if __name__ == "__main__":
    run(main)
