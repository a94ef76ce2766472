"""The section `chinese_hybrid` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field, field_validator

from repline import parameters
from repline.parameters import Count, Section, Seeds
from repline.systems.chinese_hybrid.corpus import write
from repline.systems.chinese_hybrid.model import Model
from repline.systems.chinese_hybrid.training import train

GIVEN = ("seed", "progress")
Training = parameters.signature(train, GIVEN)


class Components(Section):
    """A table of the components of characters, see `repline.lexicons.hanzi.components`."""

    place: str
    steps: Count = 1


class Variant(parameters.signature(train, GIVEN, base=Model)):
    """One model with all that its training needs; and `seeds` of its own."""

    seeds: Seeds


class Settings(parameters.signature(train, GIVEN, base=parameters.signature(write, base=Section))):
    """The whole section; each of `models` is a `Model`, and may override what the training takes."""

    corpus: str
    components: Components
    seeds: Seeds
    models: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    benchmarks: Annotated[list[str], Field(min_length=1, max_length=2)]
    word: str

    @field_validator("models")
    @classmethod
    def _names(cls, found: dict[str, Any]) -> dict[str, Any]:
        for name in found:
            if not name.isidentifier() or name in ("corpus", "tests"):
                raise ValueError(f"a name should be a word like cowe_nc, and not corpus or tests, found {name!r}")
        return found


def read(values: dict[str, Any] | None = None) -> tuple[Settings, dict[str, Variant]]:
    """The section, and its models by name; `values` as in `repline.parameters.load`.

    Raises:
        InputError: any mistake in it.
    """
    settings = parameters.load(Settings, "chinese_hybrid", values)
    shared = parameters.arguments(settings, of=train) | {"seeds": settings.seeds}
    checked = parameters.variants(Variant, shared, settings.models, "chinese_hybrid", "models")
    return settings, {name: Variant.model_validate(one) for name, one in checked.items()}
