"""The section `lexical_contrast` of params.yaml."""

from typing import Any, Literal

from repline import parameters
from repline.errors import InputError
from repline.systems.lexical_contrast.attract_repel import attract_repel
from repline.systems.lexical_contrast.counter_fitting import counter_fit
from repline.vectors.retrofitting import retrofit

SETS = ("syn", "hyp1", "ant", "antexp")
METHODS = {"attract_repel": attract_repel, "counter_fitting": counter_fit, "retrofitting": retrofit}


def check(values: dict[str, Any]) -> dict[str, Any]:
    """The section and its configurations; InputError on any mistake in it."""
    settings = parameters.bind(_settings, parameters.section(values, "lexical_contrast"), "lexical_contrast")
    for method, function in METHODS.items():
        parameters.bind(function, settings[method], f"lexical_contrast.{method}", given=("seed", "report"))
    for key in ("configurations", "constraints", "benchmarks", "seeds"):
        if not settings[key]:
            raise InputError(f"params.yaml: lexical_contrast.{key} is empty; name at least one")
    if settings["words"] is not None and settings["words"] < 2:
        raise InputError(
            f"params.yaml: lexical_contrast.words should be at least 2, or null, found {settings['words']}"
        )
    names = []
    for number, configuration in enumerate(settings["configurations"]):
        at = f"lexical_contrast.configurations[{number}]"
        parameters.bind(_configuration, configuration, at)
        name, used = configuration["name"], [*attract(configuration), *repel(configuration)]
        if not name.isidentifier() or name in (*names, "start"):
            raise InputError(f"params.yaml: {at}.name should be a new word like syn_ant, found {name!r}")
        for found in used:
            if found not in SETS:
                raise InputError(f"params.yaml: {at} has no set {found!r}{parameters.nearest(found, SETS)}")
        if not used:
            raise InputError(f"params.yaml: {at} neither attracts nor repels; name sets of {', '.join(SETS)}")
        names.append(name)
    return settings


def named(settings: dict[str, Any], arguments: list[str]) -> dict[str, Any]:
    """The configuration that the command line names."""
    names = [configuration["name"] for configuration in settings["configurations"]]
    if len(arguments) != 1 or arguments[0] not in names:
        raise InputError(f"expected the name of a configuration, one of: {', '.join(names)}")
    return settings["configurations"][names.index(arguments[0])]


def attract(configuration: dict[str, Any]) -> list[str]:
    return configuration.get("attract") or []


def repel(configuration: dict[str, Any]) -> list[str]:
    return configuration.get("repel") or []


def _settings(
    *,
    vectors: str,
    words: int | None,
    unit_length: bool,
    constraints: list[str],
    hypernyms: str,
    contrast: str,
    benchmarks: list[str],
    question_seed: int,
    seeds: list[int],
    configurations: list[dict],
    attract_repel: dict,
    counter_fitting: dict,
    retrofitting: dict,
) -> None:
    """The schema of the section."""


def _configuration(
    *,
    name: str,
    attract: list[str] | None = None,
    repel: list[str] | None = None,
    method: Literal["attract_repel", "counter_fitting", "retrofitting"] = "attract_repel",
) -> None:
    """The schema of one configuration."""
