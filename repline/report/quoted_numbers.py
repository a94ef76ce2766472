"""Numbers in the prose of a page: a placeholder names a result, and the generator of the pages fills it in.

    <!--= small:claims/agreement-lstm-better/measured .3f -->0.887<!--/-->

A reader sees the number alone. The name is a profile, and where the number stands in what `sources` returns; `params:`
names a value of params.yaml; a blank in a name is written %20. Then comes a format of Python (`.3f`, `.1%`, `+.2f`);
`100* small:...` multiplies first, and `-1* small:...` turns the sign, for a sentence such as "2.3 points below".
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import unquote

from repline.errors import InputError, shown
from repline.evaluation.nested_measures import Measures
from repline.parameters import Json, JsonObject, Values, nearest
from repline.report.result_records import ReferenceResults

PLACEHOLDER = re.compile(
    r"<!--=\s*(?:(?P<factor>-?\d+)\*\s*)?(?P<address>[\w-]+:\S+)\s+(?P<format>\S+)\s*-->(?P<number>.*?)<!--/-->",
    re.DOTALL,
)


def fill(text: str, sources: JsonObject, path: str = "text") -> str:
    """The text with the number of every placeholder as the results have it now.

    Args:
        text: Markdown.
        sources: from the function `sources`.
        path: of the text, for errors.

    Raises:
        InputError: a placeholder names no number, its format is none, or it has no end.
    """
    filled = PLACEHOLDER.sub(lambda match: _filled(match, sources, path), text)
    if text.count("<!--=") != len(PLACEHOLDER.findall(text)):
        raise InputError(f"{path}: expected placeholders such as <!--= small:claims/ID/measured .3f -->0.887<!--/-->")
    return filled


def addresses(text: str) -> list[str]:
    """What the placeholders of a text name, in their order."""
    return [match["address"] for match in PLACEHOLDER.finditer(text)]


def without_placeholders(text: str) -> str:
    """The text without its placeholders and their numbers: what is typed by hand."""
    return PLACEHOLDER.sub("", text)


def sources(
    name: str,
    references: Mapping[str, ReferenceResults],
    params: Values,
    metrics: Measures | None = None,
) -> JsonObject:
    """What the page of a system may quote, as nested mappings.

    Args:
        name: the system.
        references: by profile, from `repline.report.reference.read`.
        params: params.yaml.
        metrics: metrics.json of the profile small; the reference results have those that pages quote, and win.

    Returns:
        By profile "claims" (id -> measured, margin, interval, ...), "headline" (value, interval, ...), "rows" (id of a
        table -> the parts of a row's key -> published, measured, interval) and "metrics"; and "params".
    """
    by_profile: dict[str, Json] = {"params": params}
    for profile, results in references.items():
        system = results["systems"].get(name)
        if system is None:
            continue
        rows: dict[str, Json] = {}
        for number in system["numbers"]:
            _put(rows, [number["table"], *number["row"][1:]], cast(JsonObject, number))
        nested: dict[str, Json] = dict(metrics or {}) if profile == "small" else {}
        for address, value in system.get("quoted", {}).items():
            _put(nested, address.split("/"), value)
        by_profile[profile] = {
            "claims": cast(Json, system["claims"]),
            "headline": cast(Json, system["headline"]),
            "rows": rows,
            "metrics": nested,
        }
    return by_profile


def quoted(addresses: Sequence[str], profile: str, metrics: Measures) -> dict[str, float]:
    """The metrics of a profile that placeholders name, by their place: "agreement/turn/accuracy" -> 0.81.

    Raises:
        InputError: a placeholder names no number.
    """
    start = f"{profile}:metrics/"
    return {
        address.removeprefix(start): _number(metrics, address.removeprefix(start), address)
        for address in addresses
        if address.startswith(start)
    }


def _filled(match: re.Match[str], sources: JsonObject, path: str) -> str:
    profile, _, path_of_number = match["address"].partition(":")
    try:
        if profile not in sources:
            raise InputError(f"there are no results of {shown(profile)}{nearest(profile, sources)}")
        number = _number(sources[profile], path_of_number, match["address"]) * int(match["factor"] or 1)
        filled = format(number, match["format"])
    except (InputError, ValueError) as error:
        raise InputError(f"{path}: {match['address']} {match['format']}: {error}") from None
    beginning = match[0][: match.start("number") - match.start()]
    return f"{beginning}{filled.replace('-', '−')}<!--/-->"


def _number(values: Any, path: str, address: str) -> float:
    for part in map(unquote, path.split("/")):
        if isinstance(values, list) and part.isdecimal() and int(part) < len(values):
            values = values[int(part)]
        elif isinstance(values, Mapping) and part in values:
            values = values[part]
        else:
            raise InputError(f"{address}: there is no {shown(part)}{nearest(part, _keys(values))}")
    if isinstance(values, bool) or not isinstance(values, int | float):
        raise InputError(f"{address}: expected a number, found {shown(values)}")
    return values


def _keys(values: Any) -> list[str]:
    return list(values) if isinstance(values, Mapping) else []


def _put(nested: dict[str, Json], keys: Sequence[str], value: Json) -> None:
    """Set a value, or merge a mapping, at a place of nested mappings, without changing the mappings on the way."""
    for key in keys[:-1]:
        inner = nested.get(key)
        copy = dict(inner) if isinstance(inner, Mapping) else {}
        nested[key] = copy
        nested = copy
    before = nested.get(keys[-1])
    nested[keys[-1]] = {**before, **value} if isinstance(before, Mapping) and isinstance(value, Mapping) else value
