"""params.yaml:wikipedia, data/corpora/wikipedia_articles -> data/corpora/wikipedia: annotated sentences."""

from repline.corpora.wikipedia.annotated_articles import annotate
from repline.parameters import Section, bind, load
from stages import run, threads
from stages.counter import counter
from stages.wikipedia.executor import Executor, computing

ARTICLES = "data/corpora/wikipedia_articles"
SENTENCES = "data/corpora/wikipedia"


class Settings(Section, extra="allow"):
    """What this stage takes of the section `wikipedia`."""

    language: str
    executor: Executor = "processes"


def main() -> None:
    settings = load(Settings, "wikipedia")
    parameters = bind(
        annotate, {"language": settings.language}, "wikipedia", given=("processes", "executor", "progress")
    )
    progress = counter("sentences", "words")
    with computing(settings.executor) as executor:
        card = annotate(ARTICLES, SENTENCES, processes=threads(), executor=executor, progress=progress, **parameters)
    counts = card["counts"]
    print(f"{SENTENCES}: {counts['sentences']:,} sentences, {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
