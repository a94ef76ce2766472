"""The section `lstm_memorization` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section, Seeds
from repline.systems.lstm_memorization import corpus as middle_token

Knobs = dict[str, Any]  # of a function, whose signature says what they are


def _distribution(name: str) -> str:
    try:
        middle_token.check_distribution(name)
    except InputError as error:
        raise ValueError(str(error)) from None
    return name


Distribution = Annotated[str, AfterValidator(_distribution)]
Size = Annotated[int, Field(ge=1)]
Length = Annotated[int, Field(ge=2)]


class Counting(Section):
    """The model that is looked into."""

    distribution: Distribution
    size: Size
    length: Length


class Settings(Section):
    """The section `lstm_memorization`."""

    corpus: str  # a folder of data/
    splits: list[str]  # of it, which are the text
    data: Knobs  # of `corpus.build`
    distributions: Annotated[list[Distribution], Field(min_length=1)]
    sizes: Annotated[list[Size], Field(min_length=1)]
    more_sizes_of_uniform: list[Size]
    lengths: Annotated[list[Length], Field(min_length=1)]
    seeds: Seeds
    solved: float
    stop_when_unsolved: bool
    training: Knobs  # of `training.train_memorization`
    counting: Counting

    def sizes_of(self, distribution: str) -> list[int]:
        """The sizes d that are trained on a distribution."""
        return sorted({*self.sizes, *(self.more_sizes_of_uniform if distribution == "uniform" else ())})


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on any mistake in it, but for the knobs of the training."""
    settings = parameters.load(Settings, "lstm_memorization", values)
    given = ("distributions", "lengths", "source")
    parameters.bind(middle_token.build, settings.data, "lstm_memorization.data", given)
    return settings


def training(settings: Settings, train: Callable) -> Knobs:
    """The arguments of `train_memorization` besides the distribution, the length, the size and the seed."""
    given = ("distribution", "length", "size", "seed", "threads")
    return parameters.bind(train, settings.training, "lstm_memorization.training", given)
