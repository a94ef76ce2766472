"""The section `rrnet` of params.yaml."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from repline import parameters
from repline.parameters import Count, Json, Name, NotNegative, Overlays, Positive, Section, Seeds, Share, Values
from repline.training import recipes

OPERATORS = "+-*%"
MAX_OPERATORS = 12  # of an expression: the product of 13 digits is within 64 bits
MAX_VARIABLES = 6  # of a pair of formulas
EncoderKind = Literal["lstm", "tree_lstm", "transformer", "brackets", "imitated", "recur", "random", "learned"]
LanguageModelKind = Literal["learned", "recur", "lstm"]
Memory = Literal["merge", "carry"]  # how a merge makes c: of both, or unchanged
Baseline = Literal["mean", "value"]
Seed = Annotated[int, Field(ge=0)]


def _some_operators(operators: str) -> str:
    if not operators or set(operators) - set(OPERATORS) or len(set(operators)) != len(operators):
        raise ValueError(f"expected some of {OPERATORS!r}, each once, found {operators!r}")
    return operators


def _different_lengths(lengths: list[int]) -> list[int]:
    if not lengths or len(set(lengths)) != len(lengths) or not all(1 <= length <= MAX_OPERATORS for length in lengths):
        raise ValueError(f"expected different lengths of 1 to {MAX_OPERATORS}, found {lengths}")
    return lengths


def _ascending(epochs: list[int]) -> list[int]:
    if not epochs or sorted(set(epochs)) != epochs or epochs[0] < 1:
        raise ValueError(f"expected ascending numbers of epochs, found {epochs}")
    return epochs


class MathExpressions(Section):
    """How expressions are drawn.

    Attributes:
        operators: those that are drawn, of `+-*%`.
        lengths: numbers of operators, each drawn on its own.
        train, validation, test: expressions of each length, in the order in which they were drawn; no expression is
            there twice.
        seed: of the generator; each length has its own stream, so that other lengths do not change it.
    """

    operators: Annotated[str, AfterValidator(_some_operators)]
    lengths: Annotated[list[int], AfterValidator(_different_lengths)]
    train: Count
    validation: Count
    test: Count
    seed: Seed


class PropositionalLogic(Section):
    """How pairs of formulas are drawn.

    Attributes:
        pairs: drawn, before de-duplication.
        budget: m of both formulas.
        variables: how many of the six a pair may use.
        seed: of the generator.
    """

    pairs: Count
    budget: Count
    variables: Annotated[int, Field(ge=1, le=MAX_VARIABLES)]
    seed: Seed


class Corpora(Section):
    """How the two corpora are generated."""

    math_expressions: MathExpressions
    propositional_logic: PropositionalLogic


class Policy(Section):
    """A learned policy in the loss: REINFORCE, and its options.

    Attributes:
        baseline: the batch's mean reward, or what a layer expects from h.
    """

    baseline: Baseline = "value"
    policy_weight: NotNegative = 1.0
    entropy_weight: NotNegative = 0.02
    baseline_weight: NotNegative = 0.1


class Recipe(recipes.Recipe, Policy):
    """What the trainings of all tasks take.

    Attributes:
        seeds: one run each.
        embedding, units: sizes.
    """

    seeds: Seeds
    embedding: Count
    units: Count

    def record(self) -> dict[str, Json]:
        """What one training depends on and records apart from its data and its seed."""
        return self.model_dump(exclude={"hardware", "seeds"})


class EncoderRecipe(Recipe):
    """How a model of expressions or of formulas is trained.

    Attributes:
        encoder: of `repline.systems.rrnet.tasks`.
        epochs: ascending; a model is saved after each of these numbers.
        patience: epochs without a better accuracy on the validation data before training stops; None: all.
        memory: of `repline.systems.rrnet.model.RRNet`.
    """

    encoder: EncoderKind
    epochs: Annotated[list[int], AfterValidator(_ascending)]  # type: ignore[assignment]
    patience: Count | None = None
    memory: Memory = "merge"


class ExpressionRecipe(EncoderRecipe):
    """An evaluator of expressions.

    Attributes:
        lengths: of the expressions trained on.
        expressions: of each length; None for all.
        most: operations before the recurrent step of each symbol, see `repline.systems.rrnet.model.RRNet`.
    """

    lengths: list[int]
    expressions: Count | None = None
    most: Annotated[int, Field(ge=0)] = 0


class RelationRecipe(EncoderRecipe):
    """A classifier of the relation between two formulas.

    Attributes:
        longest: pairs with more connectives are not trained on.
    """

    longest: Count


class LanguageModelRecipe(Recipe):
    """A language model; sizes, `kind` and dropout are of `repline.systems.rrnet.language_model.RRNetLanguageModel`.

    Attributes:
        vocabulary: the words that are kept; None for all.
        train_tokens, validation_tokens: the first of these streams; None for all.
        weight_decay, betas, epsilon: of Adam.
        decay, decay_patience, minimum_rate: of the learning rate, see `repline.training.recipes.LanguageModelRecipe`.
        batch, steps: rows of the stream, and words of a segment.
    """

    kind: LanguageModelKind = "learned"
    depth: Count = 2
    memory: Memory = "carry"
    most: Annotated[int, Field(ge=0)] = 0
    tied: bool = False
    dropout_input: Share = 0.4
    dropout_output: Share = 0.5
    discount: Annotated[float, Field(ge=0, le=1)] = 0.95
    vocabulary: Count | None
    train_tokens: Count | None = None
    validation_tokens: Count | None = None
    weight_decay: NotNegative = 0.0
    betas: Annotated[list[float], Field(min_length=2, max_length=2)]
    epsilon: Positive = 1e-8
    decay: Share | None = None
    decay_patience: Count = 5
    minimum_rate: NotNegative = 0.0
    steps: Count


class Expressions(Section):
    """The evaluators of expressions; other keys of the section are what they share."""

    variants: Annotated[dict[Name, ExpressionRecipe], Field(min_length=1), Overlays()]


class Relations(Section):
    """The classifiers of relations; other keys of the section are what they share."""

    variants: Annotated[dict[Name, RelationRecipe], Field(min_length=1), Overlays()]


class LanguageModels(Section):
    """The language models; other keys of the section are what they share.

    Attributes:
        corpus: a folder of data/.
    """

    corpus: str
    variants: Annotated[dict[Name, LanguageModelRecipe], Field(min_length=1), Overlays()]


class Settings(Section):
    """The section `rrnet` of params.yaml."""

    corpora: Corpora
    expressions: Expressions
    relations: Relations
    language_model: LanguageModels


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "rrnet", values)
