"""data/<corpus> -> data/corpora/optional_constituents: brackets around optional phrases, and a control."""

from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.bracket_rnn import corpus as bracketed_corpus
from stages import run


def main() -> None:
    section = parameters.section(parameters.read(), "bracket_rnn")
    corpus = Path("data") / section["corpus"]
    values = bound(section["constituents"])
    counts = bracketed_corpus.write(corpus, "data/corpora/optional_constituents", **values)["counts"]
    pairs, optional, gaps = (counts[f"train_{key}"] for key in ("pairs", "optional", "discontinuous"))
    print(f"train: {optional:,} optional subtrees, {gaps:,} of them discontinuous; {pairs:,} pairs of brackets")


def bound(section: dict[str, Any]) -> dict[str, Any]:
    """The parameters of `repline.systems.bracket_rnn.corpus.write`, with the relations of the chosen scheme."""
    section = dict(section)
    schemes, scheme = section.pop("schemes", {}), section.pop("scheme", None)
    if scheme not in schemes:
        raise InputError(
            f"params.yaml: bracket_rnn.constituents.scheme should name one of schemes, found {scheme!r}"
            f"{parameters.nearest(scheme, schemes)}"
        )
    relations = parameters.bind(_scheme, schemes[scheme], f"bracket_rnn.constituents.schemes.{scheme}")
    given = ("optional", "required")
    return parameters.bind(bracketed_corpus.write, section, "bracket_rnn.constituents", given=given) | relations


def _scheme(*, optional: list[str], required: list[str]) -> None:
    """The schema of an annotation scheme."""


if __name__ == "__main__":
    run(main)
