"""The knobs of the regressors, checked against the functions that take them."""

from typing import Any

from repline.parameters import bind
from repline.systems.concreteness.regressors import support_vectors
from repline.systems.concreteness.settings import Settings
from repline.systems.concreteness.training import train_networks


def svr(settings: Settings) -> dict[str, Any]:
    """Of `support_vectors`; InputError for a name or a type that it does not take."""
    return bind(support_vectors, settings.svr, "concreteness.svr", given=("standardise_ratings",))


def ffn(settings: Settings) -> dict[str, Any]:
    """Of `train_networks`; InputError as above."""
    return bind(train_networks, settings.ffn, "concreteness.ffn", given=("seed", "threads", "name"))
