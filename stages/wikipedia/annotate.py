"""params.yaml:wikipedia, data/corpora/wikipedia_articles -> data/corpora/wikipedia: annotated sentences."""

from repline.corpora.wikipedia.annotated_articles import annotate
from repline.parameters import bind, read, section
from stages import run, threads
from stages.counter import counter

ARTICLES = "data/corpora/wikipedia_articles"
SENTENCES = "data/corpora/wikipedia"


def main() -> None:
    parameters = {"language": section(read(), "wikipedia.language")}
    parameters = bind(annotate, parameters, "wikipedia", given=("processes", "executor", "progress"))
    card = annotate(ARTICLES, SENTENCES, processes=threads(), progress=counter("sentences", "words"), **parameters)
    counts = card["counts"]
    print(f"{SENTENCES}: {counts['sentences']:,} sentences, {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
