"""params.yaml:wikipedia, data/corpora/wikipedia_articles -> data/corpora/wikipedia: annotated sentences."""

from repline.corpora.wikipedia.annotated_articles import annotate
from stages import run, threads
from stages.counter import counter
from stages.folders import CORPORA
from stages.wikipedia.executor import computing
from stages.wikipedia.settings import load

SENTENCES = CORPORA / "wikipedia"


def main() -> None:
    settings = load()
    with computing(settings.executor) as executor:
        counts = annotate(
            CORPORA / "wikipedia_articles",
            SENTENCES,
            language=settings.language,
            entities=settings.entities,
            processes=threads(),
            executor=executor,
            progress=counter("sentences", "words"),
        )["counts"]
    print(f"{SENTENCES}: {counts['sentences']:,} sentences, {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
