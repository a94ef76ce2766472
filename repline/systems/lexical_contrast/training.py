"""Specialise vectors with one configuration, and write them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.cards import source_of
from repline.errors import InputError
from repline.systems.lexical_contrast.attract_repel import attract_repel
from repline.systems.lexical_contrast.corpus import Space
from repline.systems.lexical_contrast.counter_fitting import counter_fit
from repline.systems.lexical_contrast.settings import (
    AttractRepelConfiguration,
    Configuration,
    CounterFittingConfiguration,
    RetrofittingConfiguration,
    Settings,
)
from repline.use.word_space import describe_vectors
from repline.vectors import store
from repline.vectors.normalisation import unit_length
from repline.vectors.retrofitting import retrofit

Report = Callable[[int, float], None]  # called with the number of an epoch and the cost of a pair in it


def train(
    name: str, space: Space, settings: Settings, folder: str | Path, *, seed: int = 0, data: str | Path = "data"
) -> None:
    """Specialise the vectors and write them.

    Args:
        name: of one of `settings.configurations`.
        folder: replaces what was there.
        seed: of Attract-Repel.
        data: where the vectors and data/corpora/lexical_contrast lie, for the card.

    Raises:
        InputError: the pairs are too few for a batch of Attract-Repel.
    """
    configuration = settings.configurations[name]
    matrix = unit_length(space.matrix) if settings.unit_length else space.matrix
    attract, repel = space.pairs(configuration)

    def report(epoch: int, cost: float) -> None:
        print(f"{name}, seed {seed}, epoch {epoch}: cost of a pair {cost:.4f}", flush=True)

    store.save(
        folder,
        space.words,
        specialised(configuration, matrix, attract, repel, seed=seed, report=report),
        name=public_name(name),
        description=f"Vectors specialised by {configuration.method} with the constraint sets {name}",
        licence="that of the vectors, and of the lexicons",
        sources=[source_of(settings.vectors, data), source_of("corpora/lexical_contrast", data)],
        parameters={
            **{"name": name, "seed": seed, "unit_length": settings.unit_length},
            **configuration.model_dump(exclude_unset=True),
        },
        totals={"attract": len(attract), "repel": len(repel)},
        tools=["scipy"],
    )
    describe_vectors(folder, "lexical_contrast")


def seeds_of(configuration: Configuration, settings: Settings) -> list[int]:
    """The seeds of a configuration: one where its method draws nothing."""
    return settings.seeds if isinstance(configuration, AttractRepelConfiguration) else settings.seeds[:1]


def specialised(
    configuration: Configuration,
    matrix: NDArray,
    attract: NDArray,
    repel: NDArray,
    *,
    seed: int = 0,
    report: Report | None = None,
) -> NDArray:
    """The vectors [V, d] by the method of a configuration.

    Args:
        matrix: [V, d].
        attract, repel: [n, 2], sets of pairs of rows; retrofitting takes the first alone.

    Raises:
        InputError: the pairs are too few for a batch of Attract-Repel.
    """
    match configuration:
        case RetrofittingConfiguration():
            return retrofit(matrix, np.concatenate([attract, attract[:, ::-1]]), configuration)
        case CounterFittingConfiguration():
            return counter_fit(matrix, attract, repel, configuration)
        case AttractRepelConfiguration():
            try:
                return attract_repel(matrix, attract, repel, configuration, seed=seed, report=report)
            except ValueError as error:
                raise InputError(f"lexical_contrast.attract_repel: {error}") from None
    raise TypeError(f"expected the configuration of a method, found {type(configuration).__name__}")


def public_name(configuration: str) -> str:
    """The folder of data/vectors for the vectors of a configuration."""
    return f"lexical_contrast-{configuration}"
