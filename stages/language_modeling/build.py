"""Build one corpus for language modelling: `python -m stages.language_modeling.build language_modeling`.

data/<source> -> data/corpora/<name>: numbered words in train, validation and test.
"""

import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.corpora.language_modeling import corpus as language_modeling
from repline.errors import InputError
from stages import run

OWN = ("name", "source")


def main() -> None:
    found = settings(parameters.read())
    if len(sys.argv) != 2 or sys.argv[1] not in found:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(found)}")
    name = sys.argv[1]
    source, values = found[name]
    counts = language_modeling.build(source, Path("data/corpora") / name, **values)["counts"]
    sizes = ", ".join(f"{counts[f'{split}_tokens']:,} {split}" for split in language_modeling.SPLITS)
    print(f"data/corpora/{name}: {sizes} tokens, {counts['vocabulary']:,} words")


def settings(values: dict[str, Any]) -> dict[str, tuple[Path, dict[str, Any]]]:
    """The source and the parameters of every corpus, by its name; InputError on a mistake in any of them."""
    section = dict(parameters.section(values, "language_modeling"))
    corpora = section.pop("corpora", None)
    if not isinstance(corpora, list) or not corpora:
        raise InputError(f"params.yaml: language_modeling.corpora should be a list of corpora, found {corpora!r}")
    found = {}
    for number, corpus in enumerate(corpora):
        at = f"language_modeling.corpora[{number}]"
        for key in OWN:
            if not isinstance(corpus, dict) or not isinstance(corpus.get(key), str) or not corpus[key]:
                raise InputError(f"params.yaml: {at} should have a text as its {key}, found {corpus!r}")
        if corpus["name"] in found:
            raise InputError(f"params.yaml: {at}: there are two corpora named {corpus['name']!r}")
        own = {key: value for key, value in corpus.items() if key not in OWN}
        bound = parameters.bind(language_modeling.build, section | own, at if own else "language_modeling")
        found[corpus["name"]] = Path("data") / corpus["source"], bound
    return found


if __name__ == "__main__":
    run(main)
