"""The section `sentence_suite` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline.evaluation.sentences.protocol_settings import Protocol
from repline.evaluation.sentences.untrained import Untrained
from repline.parameters import Section


class Encoder(Section):
    """A folder of data/: sentence vectors, a model of the house, or word vectors for an encoder that nobody trained."""

    folder: str
    untrained: Untrained | None = None
    options: dict[str, Any] = Field(default_factory=dict)  # of `UntrainedEncoder`


class Settings(Protocol):
    """The whole section: which encoders are judged, on the tasks of which folders of data/."""

    sources: Annotated[list[str], Field(min_length=3, max_length=6)]
    tasks: list[str] | None
    encoders: Annotated[dict[str, Encoder], Field(min_length=1)]
