"""The section `bracket_rnn` of params.yaml."""

from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.bracket_rnn.training import train_bracket_rnn
from stages.bracket_rnn import constituents

OWN = ("corpus", "constituents", "seeds", "runs")
GIVEN = ("seed", "threads")


def check(values: dict[str, Any]) -> dict[str, Any]:
    """The section, its `runs` as the parameters of each by name; InputError on any mistake in it."""
    section = dict(parameters.section(values, "bracket_rnn"))
    own = {key: section.pop(key) for key in OWN if key in section}
    parameters.bind(_own, own, "bracket_rnn")
    constituents.bound(own["constituents"])
    for key in ("seeds", "runs"):
        if not own[key]:
            raise InputError(f"params.yaml: bracket_rnn.{key} is empty; name at least one")
    runs: dict[str, dict[str, Any]] = {}
    for number, run in enumerate(own["runs"]):
        at = f"bracket_rnn.runs[{number}]"
        name = run.get("name") if isinstance(run, dict) else None
        if not isinstance(name, str) or not name.isidentifier() or name in runs:
            raise InputError(f"params.yaml: {at} should have a new word like linear as its name, found {name!r}")
        runs[name] = parameters.bind(train_bracket_rnn, section | run, at, given=GIVEN)
    return own | {"runs": runs}


def named(settings: dict[str, Any], arguments: list[str]) -> dict[str, Any]:
    """The run that the command line names."""
    runs = settings["runs"]
    if len(arguments) != 1 or arguments[0] not in runs:
        raise InputError(f"expected the name of a run, one of: {', '.join(runs)}")
    return runs[arguments[0]]


def _own(*, corpus: str, constituents: dict[str, Any], seeds: list[int], runs: list[dict]) -> None:
    """The schema of what is not a parameter of a run."""
