"""params.yaml:wikipedia, data/raw/<source> -> data/corpora/wikipedia_links: paragraphs of a dump with their links."""

from repline.corpora.wikipedia.links import extract_links
from repline.corpora.wikipedia.wikitext.templates import templates_line
from stages import run
from stages.folders import CORPORA
from stages.wikipedia.dump import read_dump

LINKS = CORPORA / "wikipedia_links"


def main() -> None:
    card = read_dump(extract_links, LINKS)
    counts = card["counts"]
    print(
        f"{LINKS}: {counts['links']:,} links in {counts['paragraphs']:,} paragraphs, {counts['redirects']:,} redirects"
    )
    print(templates_line(card["templates"]))


if __name__ == "__main__":
    run(main)
