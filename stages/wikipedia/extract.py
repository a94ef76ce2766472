"""params.yaml:wikipedia, data/raw/<source> -> data/corpora/wikipedia_articles: a dump as articles of clean text."""

from repline.corpora.wikipedia.extraction import extract
from stages import run
from stages.folders import CORPORA
from stages.wikipedia.dump import read_dump

ARTICLES = CORPORA / "wikipedia_articles"


def main() -> None:
    counts = read_dump(extract, ARTICLES)
    print(f"{ARTICLES}: {counts['articles']:,} articles, {counts['redirects']:,} redirects, {counts['pages']:,} pages")


if __name__ == "__main__":
    run(main)
