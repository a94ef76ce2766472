"""The section `jet` of params.yaml."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from repline import parameters
from repline.errors import InputError
from repline.parameters import Count, Section, Seeds
from repline.systems.jet.corpus import write as write_corpus
from repline.systems.jet.terminology import write as write_terminology
from repline.systems.jet.training import train

TRAINED = ("seed", "progress")
WRITTEN = ("origin", "notes")
RESERVED = ("corpora", "terminologies", "word_vectors")


class Names(Section):
    """Where the names of a terminology come from.

    Attributes:
        kind: wordnet (nouns), wikipedia (links of a dump), table (a user's own), see `name_sources`.
        source: a place in data/.
        anchors: of a wikipedia, whether the labels of links are names.
    """

    kind: Literal["wordnet", "wikipedia", "table"]
    source: str
    anchors: bool = True


Terminology = parameters.signature(write_terminology, WRITTEN, base=Names)


class Model(parameters.signature(train, TRAINED)):
    """One training with all that it needs: its terminology and its seeds."""

    terminology: str
    seeds: Seeds


_SHARED = parameters.signature(train, TRAINED, base=parameters.signature(write_corpus, base=Section))


class Settings(parameters.signature(write_terminology, WRITTEN, base=_SHARED)):
    """The whole section; each of `terminologies` and `models` may override what its step takes.

    Attributes:
        corpus: a folder of data/ with tokens.
        pairs: one or two places in data/: a file of scored pairs, or a folder of them.
        analogies: a file of data/.
        instances: a place in data/: links of a dump, or a table.
        vectors: a folder of data/ with word vectors, which are tested on the same pairs.
        context: tokens on either side of a link.
        most_instances, most_queries: how many links, and entities in search of their nearest, are asked at most.
    """

    corpus: str
    terminologies: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    seeds: Seeds
    models: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    pairs: Annotated[list[str], Field(min_length=1, max_length=2)]
    analogies: str
    instances: str
    vectors: str
    context: Count
    most_instances: Count
    most_queries: Count

    @field_validator("models")
    @classmethod
    def _names(cls, found: dict[str, Any]) -> dict[str, Any]:
        for name in found:
            if not name.isidentifier() or name in RESERVED:
                raise ValueError(f"a name should be a word like full_100, and none of {', '.join(RESERVED)}: {name!r}")
        return found


def read(values: dict[str, Any] | None = None) -> tuple[Settings, dict[str, Any], dict[str, Model]]:
    """The section, its terminologies and its models by name; `values` as in `repline.parameters.load`.

    Raises:
        InputError: any mistake in it, a model with an unknown terminology, or entities without terms.
    """
    settings = parameters.load(Settings, "jet", values)
    shared = parameters.arguments(settings, of=write_terminology)
    checked = parameters.variants(Terminology, shared, settings.terminologies, "jet", "terminologies")
    terminologies = {name: Terminology.model_validate(one) for name, one in checked.items()}
    shared = parameters.arguments(settings, of=train) | {"seeds": settings.seeds}
    checked = parameters.variants(Model, shared, settings.models, "jet", "models")
    models = {name: Model.model_validate(one) for name, one in checked.items()}
    for name, model in models.items():
        at = f"params.yaml: jet.models.{name}"
        if model.terminology not in terminologies:
            known = parameters.nearest(model.terminology, terminologies)
            raise InputError(f"{at}.terminology: there is no {model.terminology!r} in jet.terminologies{known}")
        knobs = parameters.arguments(model, of=train)
        if knobs.get("entities", True) and not knobs.get("terms", True):
            raise InputError(f"{at}: entities are trained at the mentions of terms; set entities to false, too")
    return settings, terminologies, models
