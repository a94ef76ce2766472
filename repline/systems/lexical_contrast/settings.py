"""The section `lexical_contrast` of params.yaml."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from repline import parameters
from repline.parameters import Section
from repline.systems.lexical_contrast.attract_repel import attract_repel
from repline.systems.lexical_contrast.counter_fitting import counter_fit
from repline.vectors.retrofitting import retrofit

Set = Literal["syn", "hyp1", "ant", "antexp"]
Method = Literal["attract_repel", "counter_fitting", "retrofitting"]
METHODS: dict[Method, Callable] = {
    "attract_repel": attract_repel,
    "counter_fitting": counter_fit,
    "retrofitting": retrofit,
}
GIVEN = ("seed", "report")


class Configuration(Section):
    """Which sets of pairs attract and which repel, by which method; `hold_out`: without the pairs kept for tests."""

    attract: list[Set] = Field(default_factory=list)
    repel: list[Set] = Field(default_factory=list)
    method: Method = "attract_repel"
    hold_out: bool = False

    @model_validator(mode="after")
    def _uses_a_set(self) -> "Configuration":
        if not self.attract and not self.repel:
            raise ValueError("neither attracts nor repels; name sets of syn, hyp1, ant, antexp")
        return self


CONFIGURATIONS = {
    method: parameters.signature(function, GIVEN, base=Configuration) for method, function in METHODS.items()
}


class Settings(Section):
    """The whole section; each of `configurations` is a `Configuration`, with overrides of its method's parameters."""

    vectors: str
    words: Annotated[int, Field(ge=2)] | None
    unit_length: bool
    constraints: Annotated[list[str], Field(min_length=1)]
    hypernyms: str
    contrast: str
    benchmarks: Annotated[list[str], Field(min_length=1)]
    question_seed: int
    held_out: Annotated[float, Field(ge=0, lt=1)]
    seeds: Annotated[list[int], Field(min_length=1)]
    configurations: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    attract_repel: parameters.signature(attract_repel, GIVEN)
    counter_fitting: parameters.signature(counter_fit, GIVEN)
    retrofitting: parameters.signature(retrofit, GIVEN)

    @field_validator("configurations")
    @classmethod
    def _names(cls, found: dict[str, Any]) -> dict[str, Any]:
        for name in found:
            if not name.isidentifier() or name == "start":
                raise ValueError(f"a name should be a word like syn_ant, and not start, found {name!r}")
        return found


def read(values: dict[str, Any] | None = None) -> tuple[Settings, dict[str, Configuration]]:
    """The section, and its configurations by name; `values` as in `repline.parameters.load`.

    Raises:
        InputError: any mistake in it.
    """
    settings = parameters.load(Settings, "lexical_contrast", values)
    configurations = {}
    for name, found in settings.configurations.items():
        model = CONFIGURATIONS.get(str(found.get("method", "attract_repel")), Configuration)
        own = {key: value for key, value in found.items() if value is not None}  # null: the shared knob
        configurations[name] = parameters.check(model, own, f"lexical_contrast.configurations.{name}")
    return settings, configurations


def options(settings: Settings, configuration: Configuration) -> dict[str, Any]:
    """The knobs of a configuration's method: those that all share, and in their place its own."""
    shared = parameters.arguments(getattr(settings, configuration.method))
    return shared | parameters.arguments(configuration, of=METHODS[configuration.method])
