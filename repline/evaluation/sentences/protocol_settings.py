"""The knobs of the judgement of sentence vectors, in a file of their own: a training reads them, not the judgement."""

from typing import Annotated

from pydantic import Field

from repline.parameters import Positive, Section

PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
FOLDS = 10
SEED = 1111


class Protocol(Section):
    """The knobs of `repline.evaluation.sentences.protocol.measure`.

    Attributes:
        folds, inner_folds: of cross-validation.
        penalties: λ, of which inner folds or dev choose.
        seed: of the folds.
    """

    folds: Annotated[int, Field(ge=2)] = FOLDS
    inner_folds: Annotated[int, Field(ge=2)] = FOLDS
    penalties: list[Positive] = Field(list(PENALTIES), min_length=1)
    seed: int = SEED
