"""data/<source> -> data/corpora/agreement: the words before present-tense verbs, and the verbs' number."""

from pathlib import Path

from repline import parameters
from repline.systems.urn.agreement import corpus as agreement
from repline.systems.urn.settings import Source
from stages import run

AT = "urn.corpora.agreement"


def main() -> None:
    made_of = parameters.load(Source, AT)
    knobs = parameters.bind(agreement.extract, made_of.model_extra or {}, AT)
    counts = agreement.extract(Path("data") / made_of.source, "data/corpora/agreement", **knobs)["counts"]
    print(
        f"data/corpora/agreement: {counts['train_examples']} training and {counts['test_examples']} test examples, "
        f"{counts['vocabulary']} words"
    )


if __name__ == "__main__":
    run(main)
