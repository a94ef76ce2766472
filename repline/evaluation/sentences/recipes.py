"""The sections of params.yaml that say how sentence vectors are judged, and what untrained encoders are like."""

from typing import Annotated, Literal

from pydantic import Field

from repline.parameters import Positive, Section

Untrained = Literal["average", "random_projection", "random_lstm", "random_echo_state"]
PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
FOLDS = 10
SEED = 1111


class Protocol(Section):
    """The knobs of `repline.evaluation.sentences.protocol.measure`.

    Attributes:
        folds, inner_folds: of cross-validation.
        penalties: values of λ; inner folds or dev choose one.
        seed: of the folds.
    """

    folds: Annotated[int, Field(ge=2)] = FOLDS
    inner_folds: Annotated[int, Field(ge=2)] = FOLDS
    penalties: list[Positive] = Field(default=list(PENALTIES), min_length=1)
    seed: int = SEED


class RandomWeights(Section):
    """The random weights of an encoder that is not trained, see `repline.evaluation.sentences.untrained`.

    Attributes:
        dimensions: D of a sentence vector, an even number; the average has that of a word vector.
        seed: of the weights.
        leak: α, of the echo state network.
        radius: ρ, of the echo state network.
    """

    dimensions: int = 4096
    seed: int = 0
    leak: float = 0.5
    radius: float = 0.8
