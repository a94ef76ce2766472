"""The section `jet` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Positive, Section, Seeds, Values
from repline.reading.settings import LineReading, Reading

Permuted = Literal["lists", "entities"]
RESERVED = ("corpora", "terminologies", "tests", "word_vectors")  # keys of the metrics that are no models


class Grouping(Section):
    """The names that are terms.

    Attributes:
        longest: tokens of a term; longer ones are left out.
        stop_words: code of the language whose stop words are no terms; None keeps them.
    """

    longest: Count = 5
    stop_words: str | None = None


class TerminologySource(Grouping, Reading):
    """Where the names of a terminology come from, how a table of them is read, and which of them are terms.

    Attributes:
        kind: wordnet (nouns), wikipedia (links of a dump), table (a user's own), see `name_sources`.
        source: a place in data/.
        anchors: of a wikipedia, whether the labels of links are names; the paper has titles and redirects alone.
    """

    kind: Literal["wordnet", "wikipedia", "table"]
    source: str
    anchors: bool = True


class Training(Section):
    """Arguments of `repline.systems.jet.training.fit`, except the corpus.

    Attributes:
        dimensions: d.
        passes: over the corpus.
        window: words to the left and to the right at most; the width is drawn from 1 to this at each place.
        negative: drawn words for each context.
        sample: words with a larger share of the corpus than this are partly left out, and leave holes in the windows;
            0 leaves out none.
        sample_terms: `sample` for terms; where a term is left out, its entities are.
        learning_rate: at first; it falls linearly to 1e-4 of that.
        terms, entities: whether these are trained; entities need terms. Words alone are skip-gram.
        permuted: a control, see `repline.systems.jet.training.candidates_of`.
        threads: more than one change the same vectors at once (hogwild), and no two runs are alike.
    """

    dimensions: Count = 100
    passes: Count = 10
    window: Count = 2
    negative: Count = 5
    sample: NotNegative = 1e-5
    sample_terms: NotNegative = 3e-5
    learning_rate: Positive = 0.05
    terms: bool = True
    entities: bool = True
    permuted: Permuted | None = None
    threads: Count = 1


class Model(Training):
    """A model of terms and entities: its terminology, its seeds, and how it is trained.

    Attributes:
        terminology: the name of one of `Settings.terminologies`.
        seeds: a run each.
    """

    terminology: str
    seeds: Seeds

    @model_validator(mode="after")
    def _entities_have_terms(self) -> "Model":
        if self.entities and not self.terms:
            raise ValueError("entities are trained at the mentions of terms; set entities to false, too")
        return self


def _is_free(name: str) -> str:
    if name in RESERVED:
        raise ValueError(f"a name should be a word like full_100, and none of {', '.join(RESERVED)}, found {name!r}")
    return name


class Settings(Grouping, Training, LineReading):
    """The section `jet` of params.yaml. Settings that terminologies and models share are at its top level.

    A wrong line of pairs, analogies and a table of instances is treated by `on_error`.

    Attributes:
        corpus: a folder of data/ with tokens.
        minimum_count: of words and of terms.
        terminologies: by name, with the shared values of `Grouping`.
        seeds: of the models that name none.
        models: by name, with the shared values of `Training` and the shared seeds.
        pairs: one or two places in data/: a file of scored pairs, or a folder of them.
        analogies: a file of data/.
        instances: a place in data/: links of a dump, or a table.
        vectors: a folder of data/ with word vectors, which are tested on the same pairs.
        context: tokens on either side of a link.
        most_instances, most_queries: how many links, and entities in search of their nearest, are asked at most.
    """

    corpus: str
    minimum_count: Count = 10
    seeds: Seeds
    terminologies: Annotated[dict[str, TerminologySource], Field(min_length=1)]
    models: Annotated[dict[Annotated[Name, AfterValidator(_is_free)], Model], Field(min_length=1)]
    pairs: Annotated[list[str], Field(min_length=1, max_length=2)]
    analogies: str
    instances: str
    vectors: str
    context: Count
    most_instances: Count
    most_queries: Count

    @model_validator(mode="before")
    @classmethod
    def _lay_shared_values_under(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        return {
            **values,
            **_overlaid(values, "terminologies", set(Grouping.model_fields)),
            **_overlaid(values, "models", {*Training.model_fields, "seeds"}),
        }

    @model_validator(mode="after")
    def _have_terminologies(self) -> "Settings":
        for name, model in self.models.items():
            if model.terminology not in self.terminologies:
                nearest = parameters.nearest(model.terminology, self.terminologies)
                raise ValueError(
                    f"models.{name}.terminology: there is no {model.terminology!r} in jet.terminologies{nearest}"
                )
        return self


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "jet", values)


def _overlaid(values: Values, variants: str, shared: set[str]) -> Values:
    """A mapping of variants with the shared values of the section under those of each."""
    written = values.get(variants)
    if not isinstance(written, Mapping):
        return {}
    below = {key: value for key, value in values.items() if key in shared}
    return {
        variants: {
            name: {**below, **variant} if isinstance(variant, Mapping) else variant for name, variant in written.items()
        }
    }
