"""The section `conversations` of params.yaml."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from repline import parameters
from repline.corpora.dialogue.recipes import ConversationSource
from repline.parameters import Count, Name, NotNegative, Overlays, Positive, Section, Seeds, Share, Values
from repline.training import recipes

EncoderName = Literal["dan", "transformer"]
Kind = Literal["similarity", "questions"]
ALL = "all"  # in metrics, next to the sources or genres that pairs belong to
METHODS = ("chance", "tfidf", "average", "counts")  # what metrics have apart from the variants


class Recipe(recipes.Recipe):
    """A model and its training.

    Attributes:
        task: what is trained; none is a control with the weights that training begins with.
        begin: embeddings of words begin at random, or, where a word has a vector, with it.
        every: where both tasks are trained, one batch of pairs follows this many of conversations.
        alone: epochs on conversations alone, with a separate optimiser, before both tasks take turns.
        pairs_batch: pairs of inference in a batch.
        pairs_share: share of the training pairs that is used, from the first on.
        mask_duplicates: a reply with the text of the true one is not its rival.
        symmetric: also pick the message for a reply.
        optimizer: adam (tables by rows) or sgd.
        table_rate: learning rate of the embedding tables as a multiple of the other weights'.
        vocabulary: number of words.
        encoder to dropout: of `repline.systems.conversations.model.ConversationEncoder`.
    """

    task: Literal["conversation", "both", "inference", "none"]
    begin: Literal["random", "vectors"] = "random"
    every: Count
    alone: int = Field(default=0, ge=0)
    pairs_batch: Count
    pairs_share: float = Field(default=1.0, gt=0, le=1)
    mask_duplicates: bool
    symmetric: bool = False
    optimizer: Literal["adam", "sgd"] = "adam"
    table_rate: Positive = 1.0
    vocabulary: Count
    encoder: EncoderName = "dan"
    dimensions: Count
    buckets: int = Field(ge=0)
    layers: list[Count] = Field(min_length=1)
    replies: list[Count] = Field(min_length=1)
    hidden: Count
    blocks: Count = 6
    heads: Count = 8
    inner: Count = 2048
    dropout: Share = 0.1

    @model_validator(mode="after")
    def _clip_no_sparse_gradients(self) -> "Recipe":
        if self.gradient_clip is not None and self.encoder == "dan":
            raise ValueError("the tables of a dan are sparse, their gradients cannot be clipped")
        return self


class Test(Section):
    """Pairs that encoders are judged on.

    Attributes:
        pairs: a corpus of sentence pairs, a folder of data/.
        kind: similarity, pairs with scores; or questions, older questions with a new one.
    """

    pairs: str
    kind: Kind


class Tuning(Section):
    """How the matrix of `repline.systems.conversations.tuning` is learnt.

    Attributes:
        steps: of Adam, each on all pairs.
        pull: weight of the distance from the identity.
    """

    steps: Count = 150
    learning_rate: Positive = 0.005
    pull: NotNegative = 0.0001


def _free_names(reserved: tuple[str, ...]) -> AfterValidator:
    def check(named: Values) -> Values:
        if taken := sorted({*named} & {*reserved}):
            raise ValueError(f"{taken[0]} is a reserved name in the metrics; choose another name")
        return named

    return AfterValidator(check)


class Settings(Section):
    """The section `conversations` of params.yaml.

    Attributes:
        sources: of conversations, by name; `reading` in params.yaml holds what they share.
        inference: a corpus of sentence pairs with labels; vectors: of words. Folders of data/.
        candidates: replies that a message has to choose from in the evaluation; shuffle: the seed of its blocks.
        tests: by name.
        tuning: of the matrix for similarity.
        seeds: of every variant's trainings.
        variants: recipes by name; `training` in params.yaml holds what they share.
    """

    sources: Annotated[dict[Name, ConversationSource], Field(min_length=1), Overlays("reading"), _free_names((ALL,))]
    inference: str
    vectors: str
    candidates: Annotated[int, Field(ge=2)]
    shuffle: int = Field(ge=0)
    tests: dict[Name, Test]
    tuning: Tuning
    seeds: Seeds
    variants: Annotated[dict[Name, Recipe], Field(min_length=1), Overlays("training"), _free_names(METHODS)]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "conversations", values)
