"""The dump that the section `wikipedia` of params.yaml names, as the steps that read it take it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from repline.corpora.wikipedia.dump_files import dump_parts
from repline.corpora.wikipedia.extraction import extract
from repline.parameters import Section, bind, load
from repline.sources.card import raw_files, read_source_card
from stages import threads
from stages.counter import counter
from stages.wikipedia.executor import Executor, computing


class Settings(Section, extra="allow"):
    """The section `wikipedia`; other keys are parameters of `extract`."""

    source: str  # a folder of data/raw
    executor: Executor = "processes"


def read_dump(write: Callable[..., dict[str, Any]], folder: str) -> dict[str, int]:
    """Give the dump to `extract`, or what takes the same, and print the notes of its card; returns the counts."""
    settings = load(Settings, "wikipedia")
    source = Path("data/raw") / settings.source
    given = ("processes", "executor", "source_card", "progress")
    knobs = bind(extract, settings.model_extra or {}, "wikipedia", given)
    with computing(settings.executor) as executor:
        card = write(
            dump_parts(raw_files(source)),
            folder,
            processes=threads(),
            executor=executor,
            source_card=read_source_card(source),
            progress=counter("articles", "bytes of XML"),
            **knobs,
        )
    for note in card["notes"]:
        print(f"note: {note}")
    return card["counts"]
