"""The section `lexical_contrast` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from repline import parameters
from repline.parameters import Name, NotNegative, Positive, Section, Seeds, Values
from repline.vectors.recipes import Retrofitting

SECTION = "lexical_contrast"
START = "start"  # name of the vectors before specialisation, used like that of a configuration
ConstraintSet = Literal["syn", "hyp1", "ant", "antexp"]
Method = Literal["attract_repel", "counter_fitting", "retrofitting"]


class AttractRepel(Section):
    """Arguments of `repline.systems.lexical_contrast.attract_repel.attract_repel`, except vectors and pairs.

    Attributes:
        batch: pairs; negatives come from the other pairs of a batch.
        attract_margin, repel_margin: 1.0 in Vulić and Korhonen 2018; 0.6 and 0.0 in the program.
        regularisation: lambda.
        mix: the share of negatives that are replaced by a random word of another pair.
    """

    epochs: Annotated[int, Field(ge=0)] = 15
    batch: Annotated[int, Field(ge=2)] = 50
    attract_margin: float = 1.0
    repel_margin: float = 1.0
    learning_rate: Positive = 0.05
    regularisation: NotNegative = 1e-9
    mix: Annotated[float, Field(ge=0, le=1)] = 0.5


class CounterFitting(Section):
    """Arguments of `repline.systems.lexical_contrast.counter_fitting.counter_fit`, except vectors and pairs.

    Attributes:
        delta: the distance that antonyms should reach.
        gamma: the distance that synonyms should reach.
        rho: the largest distance of neighbours.
        weights: of antonyms, synonyms and neighbours.
    """

    epochs: Annotated[int, Field(ge=0)] = 20
    delta: float = 1.0
    gamma: float = 0.0
    rho: float = 0.2
    weights: list[float] = Field(default_factory=lambda: [0.1, 0.1, 0.1], min_length=3, max_length=3)


class Configuration(Section):
    """Which sets of pairs attract and which repel, by which method.

    Attributes:
        hold_out: leave out the pairs that are kept for tests.
    """

    attract: list[ConstraintSet] = Field(default_factory=list)
    repel: list[ConstraintSet] = Field(default_factory=list)
    method: Method = "attract_repel"
    hold_out: bool = False

    @model_validator(mode="after")
    def _uses_a_set(self) -> "Configuration":
        if not self.attract and not self.repel:
            raise ValueError("neither attracts nor repels; name sets of syn, hyp1, ant, antexp")
        return self


class AttractRepelConfiguration(Configuration, AttractRepel):
    """A configuration for Attract-Repel."""


class CounterFittingConfiguration(Configuration, CounterFitting):
    """A configuration for counter-fitting."""


class RetrofittingConfiguration(Configuration, Retrofitting):
    """A configuration for retrofitting."""


METHODS: dict[Method, type[Configuration]] = {
    "attract_repel": AttractRepelConfiguration,
    "counter_fitting": CounterFittingConfiguration,
    "retrofitting": RetrofittingConfiguration,
}


def _not_start(configuration: str) -> str:
    if configuration == START:
        raise ValueError(f"{START} is reserved for the initial vectors; choose another name")
    return configuration


class Settings(Section):
    """The section `lexical_contrast` of params.yaml.

    Attributes:
        vectors: word vectors in data/, of any format of `repline.vectors.formats.readers`.
        words: the first ones; None for all.
        unit_length: scale the vectors first.
        constraints: folders of data/lexicons/constraints.
        hypernyms: a graph of words, or a wordnet, in data/.
        contrast: a folder of data/ with pairs of synonyms and antonyms by part of speech.
        questions: a folder of data/ with questions, see `repline.systems.lexical_contrast.corpus.read_questions`; those
            made from WordNet are measured in any case.
        benchmarks: sources of tests, folders of data/raw.
        question_seed: of the tests made from WordNet.
        held_out: the share of these whose pairs a configuration with `hold_out` is not given.
        seeds: of Attract-Repel; the other methods draw nothing.
        attract_repel, counter_fitting, retrofitting: what the configurations of a method share.
        configurations: by name, with the shared values of their methods.
    """

    vectors: str
    words: Annotated[int, Field(ge=2)] | None
    unit_length: bool
    constraints: Annotated[list[str], Field(min_length=1)]
    hypernyms: str
    contrast: str
    questions: str
    benchmarks: Annotated[list[str], Field(min_length=1)]
    question_seed: int
    held_out: Annotated[float, Field(ge=0, lt=1)]
    seeds: Seeds
    attract_repel: AttractRepel
    counter_fitting: CounterFitting
    retrofitting: Retrofitting
    configurations: Annotated[dict[Annotated[Name, AfterValidator(_not_start)], Configuration], Field(min_length=1)]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    section = parameters.section(parameters.read() if values is None else values, SECTION)
    written = section.get("configurations")
    if isinstance(written, Mapping):
        section = {**section, "configurations": {name: _overlaid(name, written[name], section) for name in written}}
    return parameters.check(Settings, section, SECTION)


def _overlaid(name: str, written: Any, section: Values) -> Any:
    """A configuration over the values that its method shares; null leaves the shared value."""
    if not isinstance(written, Mapping):
        return written
    path, method = f"{SECTION}.configurations.{name}", written.get("method", "attract_repel")
    if method not in METHODS:
        return parameters.check(Configuration, written, path)
    shared = section.get(method)
    changes = {key: value for key, value in written.items() if value is not None}
    return parameters.overlaid(
        METHODS[method], {f"{SECTION}.{method}": shared if isinstance(shared, Mapping) else {}, path: changes}
    )
