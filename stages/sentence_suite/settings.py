"""The section `sentence_suite` of params.yaml."""

from typing import Annotated

from pydantic import Field

from repline import parameters
from repline.evaluation.sentences.recipes import Protocol, RandomWeights, Untrained
from repline.parameters import Section, Values
from repline.reading.wrong_records import OnError


class Encoder(Section):
    """An encoder that is judged.

    Attributes:
        folder: of data/: sentence vectors, a trained encoder, or word vectors for an untrained encoder.
        untrained: kind of the untrained encoder; None for the others.
        options: of the untrained encoder's weights.
    """

    folder: str
    untrained: Untrained | None = None
    options: RandomWeights = RandomWeights()


class Settings(Protocol):
    """The section `sentence_suite` of params.yaml.

    Attributes:
        sources: three to six folders of data/ with tasks.
        tasks: their names; None for all in the sources.
        on_error: stop at a wrong line of these; or salvage: leave it out, and count it in the scores.
        encoders: by name.
    """

    sources: Annotated[list[str], Field(min_length=3, max_length=6)]
    tasks: list[str] | None
    on_error: OnError = "stop"
    encoders: Annotated[dict[str, Encoder], Field(min_length=1)]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "sentence_suite", values)
