"""params.yaml:wikipedia, data/raw/<source> -> data/corpora/wikipedia_articles: a dump as articles of clean text."""

from repline.corpora.wikipedia.extraction import extract
from repline.corpora.wikipedia.wikitext.templates import templates_line
from stages import run
from stages.folders import CORPORA
from stages.wikipedia.dump import read_dump

ARTICLES = CORPORA / "wikipedia_articles"


def main() -> None:
    card = read_dump(extract, ARTICLES)
    counts = card["counts"]
    print(f"{ARTICLES}: {counts['articles']:,} articles, {counts['redirects']:,} redirects, {counts['pages']:,} pages")
    print(templates_line(card["templates"]))


if __name__ == "__main__":
    run(main)
