"""The section `hrrlm` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Count, Json, Name, NotNegative, Overlays, Positive, Section, Seeds, Share, Values
from repline.training import recipes

Batching = Literal["contiguous", "sentences"]
TaskName = Literal["chunking", "pos_tagging", "sentiment", "questions"]


class Layers(Section):
    """The sizes of a language model with tied embedding: all that the baseline has.

    Attributes:
        dimensions: d.
        layers: of the LSTM.
        dropout: rate, before, between and after the layers.
        bias: whether each word has a number added to its score.
    """

    dimensions: Count = 650
    layers: Count = 2
    dropout: Share = 0.5
    bias: bool = True


class Bindings(Layers):
    """The sizes of `repline.systems.hrrlm.model.HRRLM`.

    Attributes:
        fillers: N.
        width: d', of each filler's subspace; the paper's small, medium and big are 50, 200 and 320.
        bases: isometric (roles and bases are trained, and kept near orthonormal by a penalty) or fixed (random).
        initial: bases of orthonormal columns and roles of N(0, 1/d), or all of U(-0.05, 0.05) as the appendix has it.
        beta: weight of the isometric penalty; not stated in the paper.
    """

    fillers: Count = 2
    width: Count = 320
    bases: Literal["isometric", "fixed"] = "isometric"
    initial: Literal["orthonormal", "uniform"] = "orthonormal"
    beta: NotNegative = 1e-3


class WordRecipe(Bindings, recipes.LanguageModelRecipe):
    """A model of words and its training.

    Attributes:
        model: HRRLM, or the tied LSTM, for which the sizes that the two do not share mean nothing.
        annealing_epochs: epochs until the second alpha is 1; 0 for no annealing.
        batching: contiguous (the stream in `batch` rows, cut every `steps` words, the state carried), or sentences
            (`batch` separate sentences, each from the zero state).
        decay: factor of the learning rate after an epoch that did not improve the validation loss.
        train_tokens: the first N words of train; None for all.
        evaluation_tokens: the first N of validation, and of test in the evaluation; None for all.
        seeds: this many of the section's, the first ones; None for all.
    """

    model: Literal["hrrlm", "tied"] = "hrrlm"
    annealing_epochs: NotNegative = 2.0
    batching: Batching = "contiguous"
    batch: Count = 20
    steps: Count = 35
    epochs: Count = 39
    optimizer: Literal["adam", "sgd", "nt-asgd"] = "sgd"
    learning_rate: Positive = 1.0
    decay: Annotated[float, Field(gt=0, lt=1)] | None = None
    gradient_clip: Positive | None = 5.0
    train_tokens: Count | None = None
    evaluation_tokens: Count | None = None
    seeds: Count | None = None

    def record(self) -> dict[str, Json]:
        """The settings that a training depends on: all but the number of seeds."""
        return {name: value for name, value in super().record().items() if name != "seeds"}

    def sizes(self) -> dict[str, Json]:
        """The arguments of the model: those of the tied LSTM, or of HRRLM."""
        kind = Layers if self.model == "tied" else Bindings
        return {name: getattr(self, name) for name in kind.model_fields}


class Words(Section):
    """The word level; keys of the section that are no fields are shared by all variants."""

    variants: Annotated[dict[Name, WordRecipe], Field(min_length=1), Overlays()]


class ChunkRecipe(recipes.Recipe):
    """The training of the chunk level.

    Attributes:
        corpus: a folder of data/, with the words of the word level and chunks.
        batch: sentences in a batch; their chunks compete.
        chunk_roles: M.
        chunk_weight: of the chunk loss, relative to the loss of words; not stated in the paper.
        annealing_epochs: until the second alpha of the chunk level is 1; not stated in the paper.
        maximum_tokens: longer sentences are left out.
        train_sentences: the first N only; None for all.
    """

    corpus: str
    gradient_clip: Positive | None = 1.0
    chunk_roles: Count = 2
    chunk_weight: NotNegative = 1.0
    annealing_epochs: NotNegative = 1.0
    maximum_tokens: Count = 60
    train_sentences: Count | None = None

    def record(self) -> dict[str, Json]:
        """What the training depends on apart from the corpus."""
        return {name: value for name, value in super().record().items() if name != "corpus"}


class Measurement(Section):
    """What `evaluate` measures.

    Attributes:
        benchmarks: folders of data/raw with tests of word vectors.
        vocabulary: most frequent words that may answer an analogy.
        tsne_words: words that are drawn.
        occurrences: of the commonest noun phrase, in the table of clusters.
        seed: of the clusters and of what is drawn.
    """

    benchmarks: list[str]
    vocabulary: Count
    tsne_words: Count
    occurrences: Count
    seed: Annotated[int, Field(ge=0)]


class ExtrinsicTask(Section):
    """An extrinsic task and the network that learns it; its sizes are not stated in the paper.

    Attributes:
        source: a folder of data/.
        hidden: units of the network.
    """

    source: str
    hidden: Count = 300
    epochs: Count = 5
    batch: Count = 128
    learning_rate: Positive = 0.001


class Settings(Section):
    """The section `hrrlm` of params.yaml.

    Attributes:
        corpus: a folder of data/.
        vocabulary: `<unk>` and `<eos>` included.
        vectors: the variant whose vectors are saved, and which the chunk level starts from.
        baseline: the variant whose vectors are compared with them.
        extrinsic: none by default: their data come from a mirror or the web.
    """

    corpus: str
    vocabulary: Annotated[int, Field(ge=3)]
    seeds: Seeds
    vectors: str
    baseline: str
    words: Words
    chunks: ChunkRecipe
    evaluation: Measurement
    extrinsic: dict[TaskName, ExtrinsicTask]

    @model_validator(mode="after")
    def _names_its_variants(self) -> "Settings":
        for key in ("vectors", "baseline"):
            name, variants = getattr(self, key), self.words.variants
            if name not in variants:
                raise ValueError(f"{key} is {name!r}, which is no variant of words{parameters.nearest(name, variants)}")
        return self

    def seeds_of(self, variant: str) -> list[int]:
        """The seeds that a variant of the word level is trained with."""
        return self.seeds[: self.words.variants[variant].seeds]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "hrrlm", values)
