"""data/<agreement.source> -> data/corpora/agreement: the words before present-tense verbs, and the verbs' number."""

from pathlib import Path

from repline.errors import InputError
from repline.parameters import bind, read, section
from repline.systems.urn.agreement import corpus as agreement
from stages import run


def main() -> None:
    parameters = section(read(), "agreement")
    source = parameters.pop("source", None)
    if not isinstance(source, str) or not source:
        raise InputError(f"params.yaml: agreement.source should be a folder of data/, found {source!r}")
    parameters = bind(agreement.extract, parameters, "agreement")
    counts = agreement.extract(Path("data") / source, "data/corpora/agreement", **parameters)["counts"]
    print(
        f"data/corpora/agreement: {counts['train_examples']} training and {counts['test_examples']} test examples, "
        f"{counts['vocabulary']} words"
    )


if __name__ == "__main__":
    run(main)
