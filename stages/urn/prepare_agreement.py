"""data/<source> -> data/corpora/agreement: the words before present-tense verbs, and the verbs' number."""

from repline.systems.urn.agreement.corpus import extract
from repline.systems.urn.settings import load
from stages import run
from stages.folders import CORPORA, DATA


def main() -> None:
    corpus = load().corpora.agreement
    folder = CORPORA / "agreement"
    counts = extract(DATA / corpus.source, folder, corpus)["counts"]
    print(
        f"{folder}: {counts['train_examples']} training and {counts['test_examples']} test examples, "
        f"{counts['vocabulary']} words"
    )


if __name__ == "__main__":
    run(main)
