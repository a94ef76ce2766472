"""Build one corpus for language modelling: `python -m stages.language_modeling.build language_modeling`.

data/<source> -> data/corpora/<name>: numbered words in train, validation and test.
"""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.corpora.language_modeling import corpus as language_modeling
from repline.parameters import Section
from stages import run
from stages.argument import argument

AT = "language_modeling"


class Corpus(Section):
    """The fields of a corpus besides the parameters of `build`, which all corpora share and each may override."""

    source: str  # a folder of data/


class Settings(Section, extra="allow"):
    """The section `language_modeling`: corpora by their names, folders of data/corpora; other keys are shared."""

    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


def main() -> None:
    found = corpora(parameters.load(Settings, AT))
    name = argument("the name of a corpus", found)
    knobs = found[name]
    source = Path("data") / knobs.pop("source")
    counts = language_modeling.build(source, Path("data/corpora") / name, **knobs)["counts"]
    sizes = ", ".join(f"{counts[f'{split}_tokens']:,} {split}" for split in language_modeling.SPLITS)
    print(f"data/corpora/{name}: {sizes} tokens, {counts['vocabulary']:,} words")


def corpora(section: Settings) -> dict[str, dict[str, Any]]:
    """The source and the knobs of every corpus, by its name; InputError on a mistake in any of them."""
    model = parameters.signature(language_modeling.build, base=Corpus)
    return parameters.variants(model, section.model_extra or {}, section.corpora, AT, "corpora")


if __name__ == "__main__":
    run(main)
