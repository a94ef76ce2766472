"""The section `rnn_cnn` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.evaluation.sentences.protocol_settings import Protocol
from repline.parameters import Section, Seeds, signature
from repline.systems.rnn_cnn.corpus import write_corpus
from repline.systems.rnn_cnn.training import Recipe

AT = "rnn_cnn"


class Text(Section):
    """What a corpus has besides the parameters of `write_corpus`.

    Attributes:
        sources: one or two places in data/ that `read_documents` reads.
        variants: which of the section's are trained on it.
        training: where it differs from the section's.
        tasks: that its sentence vectors are judged by; null for all.
    """

    sources: Annotated[list[str], Field(min_length=1, max_length=2)]
    variants: Annotated[list[str], Field(min_length=1)]
    training: dict[str, Any] = Field(default_factory=dict)
    tasks: Annotated[list[str], Field(min_length=1)] | None = None


class Evaluation(Protocol):
    """With the folders of data/ that have the tasks, three to six."""

    sources: Annotated[list[str], Field(min_length=3, max_length=6)]


class Settings(Section):
    """The whole section.

    Attributes:
        corpora: by name, `Text` and the knobs of `write_corpus`.
        vectors: a folder of data/vectors, which models begin with.
        training: what all variants share; variants: by name, what differs.
        evaluation: how sentence vectors are judged, and on which tasks.
    """

    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    vectors: str
    training: dict[str, Any]
    seeds: Seeds
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    evaluation: Evaluation


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its corpora and variants checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = signature(write_corpus, ("sources",), Text)
    parameters.variants(model, {}, settings.corpora, AT, "corpora")
    for name in (*settings.corpora, *settings.variants):
        if not name.isidentifier() or name == "average":
            raise InputError(f"params.yaml: {AT}: expected a name like max_only, found {name!r}")
    for name in settings.corpora:
        recipes(settings, name)
    return settings


def text_of(settings: Settings, corpus: str) -> tuple[Text, dict[str, Any]]:
    """The entry of a corpus: its `Text`, and the knobs of `write_corpus`."""
    entry = settings.corpora[corpus]
    own = {key: value for key, value in entry.items() if key in Text.model_fields}
    return Text(**own), {key: value for key, value in entry.items() if key not in own}


def recipes(settings: Settings, corpus: str) -> dict[str, dict[str, Any]]:
    """The parameters of the training of each variant on a corpus; InputError for one that is not there."""
    text, _ = text_of(settings, corpus)
    for name in text.variants:
        if name not in settings.variants:
            raise InputError(
                f"params.yaml: {AT}.corpora.{corpus}.variants: there is no variant {name!r}; "
                f"there are {', '.join(settings.variants)}"
            )
    shared = {**settings.training, **text.training}
    return parameters.variants(Recipe, shared, {name: settings.variants[name] for name in text.variants}, AT)
