"""data/<source> -> data/corpora/<name>: texts of several languages side by side, as tokens.

`python -m stages.parallel.multiway NAME`, for an entry of params.yaml:parallel.multiway.
"""

from repline.corpora.parallel.multiway import build
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA, DATA
from stages.parallel.settings import load


def main() -> None:
    corpora = load().multiway
    name = argument("the name of a corpus", corpora)
    corpus, folder = corpora[name], CORPORA / name
    counts = build(DATA / corpus.source, folder, corpus, progress=counter("texts", "tokens"))["counts"]
    sides = ", ".join(f"{counts[f'texts_{language}']:,} {language}" for language in corpus.languages)
    print(f"{folder}: {counts['texts']:,} texts ({sides})")


if __name__ == "__main__":
    run(main)
