"""The section `lexicons` of params.yaml."""

import inspect
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.lexicons.wordnet.subgraphs import subgraph

_NOT_IN_PARAMS = ("wordlist", "keep")


def check(values: dict[str, Any]) -> dict[str, Any]:
    """The section, its graphs and its constraints; InputError on any mistake."""
    settings = parameters.bind(_settings, parameters.section(values, "lexicons"), "lexicons")
    known = [name for name in inspect.signature(subgraph).parameters if name not in ("wordnet", *_NOT_IN_PARAMS)]
    for kind in ("graphs", "constraints"):
        names = []
        for number, entry in enumerate(settings[kind]):
            at = f"lexicons.{kind}[{number}]"
            name = entry.get("name") if isinstance(entry, dict) else None
            if not isinstance(name, str) or not name.replace("-", "").replace("_", "").isalnum():
                raise InputError(f"params.yaml: {at} should be a mapping with a plain name, found {entry!r}")
            names.append(name)
            if kind == "graphs":
                for key in entry:
                    if key not in ("name", *known):
                        raise InputError(f"params.yaml: unknown parameter '{at}.{key}'{parameters.nearest(key, known)}")
                options = {key: value for key, value in entry.items() if key != "name"}
                parameters.bind(subgraph, options, at, given=_NOT_IN_PARAMS)
            else:
                parameters.bind(_constraints, entry, at)
        if len(set(names)) < len(names) or {"wordnet", "constraints"} & set(names if kind == "graphs" else ()):
            raise InputError(
                f"params.yaml: the names in lexicons.{kind} should differ (and not be wordnet or constraints), "
                f"found {', '.join(names)}"
            )
    return settings


def _settings(*, wordnet: str, frequency: str, graphs: list[dict], constraints: list[dict]) -> None:
    """The schema of the section."""


def _constraints(
    *,
    name: str,
    place: str,
    synonyms: str | None = None,
    antonyms: str | None = None,
    language: str | None = None,
    indirect_antonyms: bool = False,
) -> None:
    """The schema of one entry of constraints."""
