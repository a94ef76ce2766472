"""The section `wordnet_embeddings` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from repline import parameters
from repline.evaluation.word_vectors import suite
from repline.parameters import Section
from repline.systems.wordnet_embeddings.training import word_affinities, word_vectors

GIVEN = ("keep", "wordlist", "threads")
DEFAULT = "default"  # the name of what all variants change

Knobs = parameters.signature(word_vectors, GIVEN, base=parameters.signature(word_affinities, GIVEN))


class Settings(Section):
    """The whole section; the stages depend on the first and the last of `benchmarks`."""

    lexicon: str
    benchmarks: Annotated[list[str], Field(min_length=1, max_length=2)]
    keep: list[str]
    frequency: str
    baselines: Annotated[dict[str, str], Field(min_length=1)]
    default: Knobs
    variants: dict[str, dict[str, Any]]

    @field_validator("variants", "baselines")
    @classmethod
    def _names(cls, named: dict[str, Any]) -> dict[str, Any]:
        for name in named:
            if not name.isidentifier() or name == DEFAULT:
                raise ValueError(f"a name should be a word like no_pmi, and not default, found {name!r}")
        return named

    @model_validator(mode="after")
    def _differ(self) -> "Settings":
        if both := sorted(self.variants.keys() & self.baselines.keys()):
            raise ValueError(f"{both[0]!r} is the name of a variant and of a baseline; choose another name")
        return self

    @model_validator(mode="after")
    def _keeps_tests(self) -> "Settings":
        known = [test.name for source in self.benchmarks for test in suite.tests_of(source)]
        for name in self.keep:
            if name not in known:
                raise ValueError(f"keep has no test {name!r}{parameters.nearest(name, known)}")
        return self


def read(values: dict[str, Any] | None = None) -> tuple[Settings, dict[str, Knobs]]:
    """The section, and the knobs of "default" and of every variant; `values` as in `repline.parameters.load`.

    Raises:
        InputError: any mistake in it.
    """
    settings = parameters.load(Settings, "wordnet_embeddings", values)
    shared = parameters.arguments(settings.default)
    variants = {DEFAULT: settings.default}
    for name, changed in settings.variants.items():
        variants[name] = parameters.check(Knobs, shared | changed, f"wordnet_embeddings.variants.{name}")
    return settings, variants
