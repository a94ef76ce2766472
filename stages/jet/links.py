"""params.yaml:wikipedia, data/raw/<source> -> data/corpora/wikipedia_links: paragraphs of a dump with their links."""

from pathlib import Path

from repline.corpora.wikipedia.dump_files import dump_parts
from repline.corpora.wikipedia.extraction import extract
from repline.corpora.wikipedia.links import extract_links
from repline.parameters import Section, arguments, load, signature
from repline.sources.card import raw_files, read_source_card
from stages import run, threads
from stages.counter import counter

LINKS = "data/corpora/wikipedia_links"


class Dump(Section):
    """Of the section `wikipedia`, what this step reads."""

    source: str
    executor: str


def main() -> None:
    given = ("processes", "executor", "source_card", "progress")
    settings = load(signature(extract, given, base=Dump), "wikipedia")
    source = Path("data/raw") / settings.source
    knobs = arguments(settings, of=extract)
    del knobs["executor"]  # of the other stages that read the dump
    card = extract_links(
        dump_parts(raw_files(source)),
        LINKS,
        processes=threads(),
        source_card=read_source_card(source),
        progress=counter("articles", "bytes of XML"),
        **knobs,
    )
    counts = card["counts"]
    print(
        f"{LINKS}: {counts['links']:,} links in {counts['paragraphs']:,} paragraphs, {counts['redirects']:,} redirects"
    )
    for note in card["notes"]:
        print(f"note: {note}")


if __name__ == "__main__":
    run(main)
