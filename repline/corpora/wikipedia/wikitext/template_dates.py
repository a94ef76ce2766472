"""Templates that show dates, years and centuries.

Every function takes the arguments of a template and returns the words, or None where an argument that they need is
missing. `months` are the names of months by number.
"""

import re
from collections.abc import Mapping

from repline.corpora.wikipedia.wikitext.template_arguments import Arguments, numbered

_ISO = re.compile(r"(\d{1,4})-(\d{1,2})-(\d{1,2})$")
_DOTTED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,4}$")


def as_of(arguments: Arguments, months: Mapping[str, str]) -> str | None:
    """`{{as of|2010|lc=y}}` -> "as of 2010"."""
    if arguments.get("alt"):
        return arguments["alt"]
    values = [value for value in numbered(arguments)[:3] if value]
    if not values:
        return None
    words = "since" if arguments.get("since") else "as of"
    if arguments.get("bare"):
        words = ""
    elif not arguments.get("lc"):
        words = words.capitalize()
    when = _day(values, months, arguments.get("df") != "US", arguments)
    return f"{words} {when or ' '.join(values)}".strip() + arguments.get("post", "")


def year_month_day(arguments: Arguments, months: Mapping[str, str], shows: str = "") -> str | None:
    """`{{birth date|1789|7|14|df=y}}` -> "14 July 1789"; without `df`, as Americans write it: "July 14, 1789"."""
    values = [value for value in numbered(arguments)[:3] if value]
    if len(values) == 1 and (iso := _ISO.match(values[0])):
        values = [iso[1], iso[2], iso[3]]
    if not values:
        return None
    if not values[0].isdecimal():
        return " ".join(values)
    if shows and len(values) == 3:
        return _shown(shows, values[2], values[1], values[0], months)
    return _day(values, months, arguments.get("df", "")[:1] in ("y", "1", "t"), arguments)


def day_month_year(arguments: Arguments, months: Mapping[str, str], shows: str = "") -> str | None:
    """`{{date|14|July|1789}}` -> "14 July 1789", and `shows` where the month is a number."""
    values = numbered(arguments)[:3]
    if not any(values):
        return None
    if len(values) == 1 and _DOTTED.match(values[0]):
        values = values[0].split(".")
    if iso := _ISO.match(values[0]):
        values = [iso[3], iso[2], iso[1]]
    elif len(values[0]) == 4 and values[0].isdecimal() and len(values) == 3:
        values = values[::-1]
    if len(values) == 3 and all(values):
        return _shown(shows, values[0], values[1], values[2], months)
    month = [
        months.get(value.lstrip("0").lower(), value) if index == 1 else value for index, value in enumerate(values)
    ]
    return " ".join(filter(None, month))


def life_dates(arguments: Arguments, between: str = "－") -> str | None:
    """`{{bd|1900年|1月1日|2000年|2月2日}}` -> "（1900年1月1日－2000年2月2日）"."""
    values = [*numbered(arguments), "", "", "", ""][:4]
    born, died = values[0] + values[1], values[2] + values[3]
    return f"（{born}{between}{died}）" if born or died else None


def century(arguments: Arguments, word: str, before: str, after: str = "") -> str | None:
    """`{{siglo|V|a|s}}` -> "siglo V a. C."."""
    number = arguments.get("1")
    if not number:
        return None
    named = arguments.get("3", "")
    words = {"s": f"{word} {number}", "S": f"{word.capitalize()} {number}"}.get(named[:1], number)
    return words + {"a": f" {before}", "d": f" {after}"}.get(arguments.get("2", "")[:1], "")


def circa(arguments: Arguments, word: str) -> str | None:
    """`{{circa|1200|1250}}` -> "c. 1200 – c. 1250"."""
    values = [value for value in numbered(arguments)[:2] if value]
    return " – ".join(f"{word} {value}" for value in values) or word


def _day(values: list[str], months: Mapping[str, str], day_first: bool, arguments: Arguments) -> str | None:
    year, month, day = [*values, "", ""][:3]
    if not month:
        return year
    month = months.get(month.lstrip("0").lower(), month)
    if not day:
        return f"{month} {year}"
    return f"{day.lstrip('0')} {month} {year}" if day_first else f"{month} {day.lstrip('0')}, {year}"


def _shown(shows: str, day: str, month: str, year: str, months: Mapping[str, str]) -> str:
    month = months.get(month.lstrip("0").lower(), month)
    day = day.lstrip("0") or day
    return (shows or "{day} {month} {year}").format(day=day, month=month, year=year)
