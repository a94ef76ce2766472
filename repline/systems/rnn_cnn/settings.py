"""The section `rnn_cnn` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from repline import parameters
from repline.errors import InputError, shown
from repline.evaluation.sentences.recipes import Protocol
from repline.parameters import Count, Name, Section, Seeds, Share, Values, nearest
from repline.training import recipes

SECTION = "rnn_cnn"
Pooling = Literal["mean_max", "max"]
Kind = Literal["cnn", "rnn", "ar_rnn", "ar_cnn"]
Feed = Literal["teacher", "sampled", "uniform"]
METRICS = ("average", "counts")  # keys of the metrics of a corpus that are no variants


class Text(Section):
    """Ordered text of a corpus.

    Attributes:
        sources: one or two places in data/ that `repline.systems.rnn_cnn.ordered_text.read_documents` reads.
        documents: only those of these names, which every source must have; None for all.
        sentences: only the first N of each document, before any is left out; None for all.
        vocabulary: V, the most frequent words of the training part.
        shortest, longest: words of a sentence; others are left out of the text.
        held_out: share of the sentences of each document, its last ones.
    """

    sources: Annotated[list[str], Field(min_length=1, max_length=2)]
    documents: list[str] | None = None
    sentences: Count | None = None
    vocabulary: Annotated[int, Field(ge=2)] = 20_000
    shortest: Count = 3
    longest: Count = 60
    held_out: Share = 0.1


class Corpus(Section):
    """A corpus that models are trained on.

    In params.yaml it also has `training`: where its trainings differ from the shared one.

    Attributes:
        text: its sources and limits.
        tasks: names of the tasks that judge its sentence vectors; None for all.
    """

    text: Text
    tasks: Annotated[list[str], Field(min_length=1)] | None


class Recipe(recipes.Recipe):
    """A model and its training.

    Attributes:
        units, targets, pooling, decoder, feed, channels, decoder_units: of
            `repline.systems.rnn_cnn.model.ContextModel`.
        source_words: of a sentence, only the first N are read in training.
        pairs: number of training pairs, drawn by the seed; None for all.
        trained: false leaves the first weights as they are: a control.
    """

    units: Count
    targets: Count
    source_words: Count = 30
    pairs: Count | None = None
    pooling: Pooling = "mean_max"
    decoder: Kind = "cnn"
    feed: Feed = "teacher"
    channels: Count | None = None
    decoder_units: Count | None = None
    trained: bool = True


def _not_of_metrics(variant: str) -> str:
    if variant in METRICS:
        raise ValueError(f"{variant} is a reserved name in the metrics; choose another name")
    return variant


class Training(Section):
    """A variant that is trained on a corpus.

    Attributes:
        recipe: the shared values, then those of the corpus, then those of the variant; later ones win.
    """

    corpus: str
    variant: Annotated[Name, AfterValidator(_not_of_metrics)]
    recipe: Recipe


class Evaluation(Protocol):
    """Protocol of the tasks, and the folders that hold them.

    Attributes:
        sources: three to six folders of data/ with tasks.
    """

    sources: Annotated[list[str], Field(min_length=3, max_length=6)]


class Settings(Section):
    """The section `rnn_cnn` of params.yaml.

    Attributes:
        corpora: by name.
        vectors: a folder of data/vectors, which models begin with.
        seeds: of every training.
        trainings: by name; each is a stage.
        evaluation: of all models.
    """

    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    vectors: str
    seeds: Seeds
    trainings: Annotated[dict[Name, Training], Field(min_length=1)]
    evaluation: Evaluation

    def recipes_on(self, corpus: str) -> dict[str, Recipe]:
        """The recipes of the variants that are trained on one corpus."""
        return {training.variant: training.recipe for training in self.trainings.values() if training.corpus == corpus}


class _TrainingNames(Section):
    corpus: str
    variant: str


class _Layers(Section):
    """The layers of settings that the recipe of each training is put together from."""

    training: Values
    variants: dict[Name, Values]
    corpora: dict[Name, Values]
    trainings: dict[Name, _TrainingNames]

    def recipe(self, name: str) -> Recipe:
        training = self.trainings[name]
        for key, named in (("corpus", self.corpora), ("variant", self.variants)):
            if getattr(training, key) not in named:
                value = getattr(training, key)
                raise InputError(
                    f"params.yaml: {SECTION}.trainings.{name}: there is no {key} {shown(value)}{nearest(value, named)}"
                )
        corpus_training = self.corpora[training.corpus].get("training")
        if not isinstance(corpus_training, Mapping):
            raise InputError(
                f"params.yaml: {SECTION}.corpora.{training.corpus}.training should be a section ({{}} for none)"
            )
        return parameters.overlaid(
            Recipe,
            {
                f"{SECTION}.training": self.training,
                f"{SECTION}.corpora.{training.corpus}.training": corpus_training,
                f"{SECTION}.variants.{training.variant}": self.variants[training.variant],
            },
        )


def load(values: Values | None = None) -> Settings:
    """The section with the recipe of each training, checked; `values` and errors as in `repline.parameters.load`."""
    section = parameters.section(parameters.read() if values is None else values, SECTION)
    layers = parameters.check(_Layers, {key: section[key] for key in _Layers.model_fields if key in section}, SECTION)
    trainings = {
        name: training.model_dump() | {"recipe": layers.recipe(name)} for name, training in layers.trainings.items()
    }
    corpora = {
        name: {key: value for key, value in corpus.items() if key != "training"}
        for name, corpus in layers.corpora.items()
    }
    rest = {key: value for key, value in section.items() if key not in ("training", "variants")}
    return parameters.check(Settings, rest | {"corpora": corpora, "trainings": trainings}, SECTION)
