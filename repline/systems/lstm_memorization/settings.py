"""The section `lstm_memorization` of params.yaml."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from repline import parameters
from repline.errors import InputError, shown
from repline.parameters import Count, Json, Positive, Section, Seeds, Share, Values
from repline.training import recipes


def chunk_size(distribution: str) -> int | None:
    """The size of the chunks that a distribution permutes, 1 for unigram, None for uniform and language.

    Raises:
        InputError: no such distribution.
    """
    if distribution in ("uniform", "language"):
        return None
    match = re.fullmatch(r"([1-9]\d*)gram", distribution)
    if distribution != "unigram" and not match:
        raise InputError(
            f"there is no distribution {shown(distribution)}; there are uniform, unigram, 5gram (any number), language"
        )
    return int(match[1]) if match else 1


def _distribution(name: str) -> str:
    chunk_size(name)
    return name


Distribution = Annotated[str, AfterValidator(_distribution)]
Length = Annotated[int, Field(ge=2)]


class CorpusRecipe(Section):
    """How the training distributions and the test sets are made of a text.

    Attributes:
        types: V, the most frequent types, which are kept; tokens of others are left out. None: all.
        maximum_tokens: T, this many of the remaining tokens are taken, the first ones; None: all.
        test_types: the rarest of the V types by the counts of the whole text, ties by their string.
        test_sequences: S, of each length.
        seed: with a distribution's name or a test set's length it fixes what is drawn.
    """

    types: Count | None = 10_000
    maximum_tokens: Count | None = None
    test_types: int = 100
    test_sequences: Count = 10_000
    seed: Annotated[int, Field(ge=0)] = 0


class Recipe(recipes.Recipe):
    """How each LSTM is trained.

    Attributes:
        batch: sequences in a batch; `batch_of_few` where there are fewer than `few` sequences.
        stride: from one sequence to the next; None: n.
        validation_share: of the sequences; they are of the training distribution.
        watched: test sequences whose accuracy is noted after every epoch. Nothing is chosen by it.
        scale: standard deviation of the embedding's entries.
    """

    batch: Count = 128
    batch_of_few: Count = 64
    few: Count = 10_000
    stride: Count | None = None
    validation_share: Share = 0.1
    watched: Count = 2_000
    scale: Positive = 1.0

    def record(self) -> dict[str, Json]:
        """What a trained model depends on apart from its data; `watched` changes nothing of the model."""
        return self.model_dump(exclude={"hardware", "watched"})


class Experiment(Section):
    """One cell of the grid, trained once per seed.

    Attributes:
        distribution: of the training data.
        dimensions: d, of state and embedding.
        length: n, of all sequences.
    """

    distribution: Distribution
    dimensions: Count
    length: Length

    @property
    def name(self) -> str:
        """Dimensions and length, as the folder of the runs is named: d50-n10."""
        return f"d{self.dimensions}-n{self.length}"


class Settings(Section):
    """The section `lstm_memorization` of params.yaml.

    Attributes:
        corpus: a folder of data/.
        splits: of the corpus, which are the text.
        more_sizes_of_uniform: trained on the uniform distribution in addition to `sizes`.
        seeds: of every experiment's runs.
        solved: accuracy from which a length counts as solved.
        stop_when_unsolved: skip lengths beyond the first that is not solved.
        counting: the model whose states are examined.
    """

    corpus: str
    splits: list[str]
    data: CorpusRecipe
    distributions: Annotated[list[Distribution], Field(min_length=1)]
    sizes: Annotated[list[Count], Field(min_length=1)]
    more_sizes_of_uniform: list[Count]
    lengths: Annotated[list[Length], Field(min_length=1)]
    seeds: Seeds
    solved: float
    stop_when_unsolved: bool
    training: Recipe
    counting: Experiment

    def sizes_of(self, distribution: str) -> list[int]:
        """The sizes d that are trained on a distribution."""
        return sorted({*self.sizes, *(self.more_sizes_of_uniform if distribution == "uniform" else ())})

    def experiments(self, distribution: str, size: int) -> list[Experiment]:
        """The experiments of one distribution and size, by rising length."""
        return [
            Experiment(distribution=distribution, dimensions=size, length=length)
            for length in sorted(set(self.lengths))
        ]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "lstm_memorization", values)
