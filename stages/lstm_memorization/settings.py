"""The section `lstm_memorization` of params.yaml, and where its files lie."""

from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.lstm_memorization import corpus as middle_token

CORPUS = Path("data/corpora/middle_token")
MODELS = Path("data/models/lstm_memorization")
_AT = "lstm_memorization"


def check(values: dict[str, Any]) -> dict[str, Any]:
    """The section; InputError on any mistake in it, but for its part `training`."""
    section = parameters.bind(_settings, parameters.section(values, _AT), _AT)
    parameters.bind(middle_token.build, section["data"], f"{_AT}.data", given=("distributions", "lengths", "source"))
    parameters.bind(_counting, section["counting"], f"{_AT}.counting")
    for name in section["distributions"]:
        middle_token.check_distribution(name)
    for key, least in (("seeds", 0), ("sizes", 1), ("lengths", 2)):
        if not section[key] or min(section[key]) < least:
            raise InputError(f"params.yaml: {_AT}.{key} should be numbers from {least} on, found {section[key]}")
    return section


def sizes(section: dict[str, Any], distribution: str) -> list[int]:
    """The sizes d that are trained on a distribution."""
    return sorted({*section["sizes"], *(section["more_sizes_of_uniform"] if distribution == "uniform" else ())})


def experiment(distribution: str, size: int, length: int) -> Path:
    """The folder of the runs that differ by their seed alone."""
    return Path(distribution) / f"d{size}-n{length}"


def _settings(
    *,
    corpus: str,
    splits: list[str],
    data: dict,
    distributions: list[str],
    sizes: list[int],
    more_sizes_of_uniform: list[int],
    lengths: list[int],
    seeds: list[int],
    solved: float,
    stop_when_unsolved: bool,
    training: dict,
    counting: dict,
) -> None:
    """The schema of the section."""


def _counting(*, distribution: str, size: int, length: int) -> None:
    """The schema of its part `counting`: the model that is looked into."""
