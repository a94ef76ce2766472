"""params.yaml:wikipedia, data/raw/<source> -> data/corpora/wikipedia_articles: a dump as articles of clean text."""

from pathlib import Path

from repline.corpora.wikipedia.dump_files import dump_parts
from repline.corpora.wikipedia.extraction import extract
from repline.parameters import Section, bind, load
from repline.sources.card import raw_files, read_source_card
from stages import run, threads
from stages.counter import counter
from stages.wikipedia.executor import Executor, computing

ARTICLES = "data/corpora/wikipedia_articles"


class Settings(Section, extra="allow"):
    """The section `wikipedia`; other keys are parameters of `extract`."""

    source: str  # a folder of data/raw
    executor: Executor = "processes"


def main() -> None:
    settings = load(Settings, "wikipedia")
    source = Path("data/raw") / settings.source
    given = ("processes", "executor", "source_card", "progress")
    knobs = bind(extract, settings.model_extra or {}, "wikipedia", given)
    with computing(settings.executor) as executor:
        card = extract(
            dump_parts(raw_files(source)),
            ARTICLES,
            processes=threads(),
            executor=executor,
            source_card=read_source_card(source),
            progress=counter("articles", "bytes of XML"),
            **knobs,
        )
    counts = card["counts"]
    print(f"{ARTICLES}: {counts['articles']:,} articles, {counts['redirects']:,} redirects, {counts['pages']:,} pages")
    for note in card["notes"]:
        print(f"note: {note}")


if __name__ == "__main__":
    run(main)
