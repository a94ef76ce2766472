"""data/<source> -> data/corpora/agreement: the words before present-tense verbs, and the verbs' number."""

from pathlib import Path

from repline.parameters import arguments, load, signature
from repline.systems.urn.agreement import corpus as agreement
from repline.systems.urn.settings import Source
from stages import run


def main() -> None:
    settings = load(signature(agreement.extract, base=Source), "urn.corpora.agreement")
    knobs = arguments(settings, of=agreement.extract)
    counts = agreement.extract(Path("data") / settings.source, "data/corpora/agreement", **knobs)["counts"]
    print(
        f"data/corpora/agreement: {counts['train_examples']} training and {counts['test_examples']} test examples, "
        f"{counts['vocabulary']} words"
    )


if __name__ == "__main__":
    run(main)
