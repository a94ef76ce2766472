"""The dump that the section `wikipedia` of params.yaml names, as the steps that read it take it."""

from collections.abc import Callable
from pathlib import Path

from repline.cards import Card
from repline.corpora.wikipedia.dump_files import dump_parts
from repline.sources.card import raw_files, read_source_card
from stages import threads
from stages.counter import counter
from stages.folders import DATA
from stages.wikipedia.executor import computing
from stages.wikipedia.settings import load


def read_dump(write: Callable[..., Card], folder: Path) -> Card:
    """Give the dump to `extract`, or what takes the same, and print the notes of its card; returns the card."""
    settings = load()
    source = DATA / "raw" / settings.source
    with computing(settings.executor) as executor:
        card = write(
            dump_parts(raw_files(source)),
            folder,
            settings,
            processes=threads(),
            executor=executor,
            source_card=read_source_card(source),
            progress=counter("articles", "bytes of XML"),
        )
    for note in card["notes"]:
        print(f"note: {note}")
    return card
