"""Templates whose words need more than a pattern: measures, numbers, ships, formulas; dates are in `template_dates`.

Every function takes the arguments of a template, `{name or number: text}`, and returns the words, or None where an
argument that they need is missing.
"""

import re
from collections.abc import Callable, Mapping

from repline.corpora.wikipedia.wikitext import template_dates
from repline.corpora.wikipedia.wikitext.names import LANGUAGES
from repline.corpora.wikipedia.wikitext.template_arguments import Arguments, numbered
from repline.parameters import JsonObject

Tables = Mapping[str, Mapping[str, str]]

_NUMBER = re.compile(r"[-+−]?[\d.,/]+(?:e-?\d+)?$")
_BETWEEN = {
    "to": " to ",
    "-": "–",
    "–": "–",
    "to(-)": "–",
    "and": " and ",
    "or": " or ",
    "by": " by ",
    "x": " × ",
    "×": " × ",
    "+/-": " ± ",
    "±": " ± ",
}
_UNITS = {
    "km2": "km²",
    "m2": "m²",
    "cm2": "cm²",
    "mm2": "mm²",
    "m3": "m³",
    "cm3": "cm³",
    "km3": "km³",
    "sqmi": "sq mi",
    "sqft": "sq ft",
    "sqkm": "km²",
    "cuft": "cu ft",
    "cumi": "cu mi",
    "kph": "km/h",
    "c": "°C",
    "f": "°F",
    "degc": "°C",
    "degf": "°F",
    "usgal": "US gal",
    "impgal": "imp gal",
    "/km2": "/km²",
    "/sqmi": "/sq mi",
}
_LARGE = re.compile(r"e(\d+)([A-Za-z].*)")
_POWERS = {"3": " thousand", "6": " million", "9": " billion", "12": " trillion"}
_MIXED = ("ft", "lb", "st", "mi", "yd", "foot", "oz")


def items(arguments: Arguments, lines: bool = False) -> str | None:
    """`{{hlist|a|b}}` -> "a, b"; a list in wikitext, as `{{plainlist|* a ...}}` has it, stays one.

    Args:
        arguments: of the template.
        lines: whether each item stands on a line of its own, as in `{{bulleted list|a|b}}`.
    """
    values = [value for value in numbered(arguments) if value]
    if any(value[0] in "*#" for value in values):
        return "\n" + "\n".join(values) + "\n"
    if lines and values:
        return "\n* " + "\n* ".join(values) + "\n"
    return ", ".join(values) or None


def measure(arguments: Arguments) -> str | None:
    """`{{convert|5|to|10|km|mi}}` -> "5 to 10 km"; `{{convert|5|ft|6|in|m}}` -> "5 ft 6 in"."""
    words: list[str] = []
    values = numbered(arguments)
    if not values or not _NUMBER.match(values[0].replace(" ", "")):
        return None
    unit = ""
    for index, value in enumerate(values):
        if _NUMBER.match(value.replace(" ", "")):
            words.append(value)
            continue
        if value in _BETWEEN:
            words.append(_BETWEEN[value])
            continue
        unit = value
        large = _LARGE.match(unit)
        if large and large[1] in _POWERS:
            words.append(_POWERS[large[1]])
            unit = large[2]
        named = _UNITS.get(unit.lower() if len(unit) > 1 else unit, unit) if unit not in ("C", "F") else "°" + unit
        words.append(named if named[:1] == "/" else " " + named)
        if not (value in _MIXED and index + 2 < len(values) and _NUMBER.match(values[index + 1])):
            break
        words.append(" ")
    return "".join(words) if unit else None


def gauge(arguments: Arguments) -> str | None:
    """`{{RailGauge|1435mm}}` -> "1435 mm"."""
    value = arguments.get("1", "")
    match = re.match(r"([\d.,⁄/ -]++)\s*+(mm|cm|m|in|ft)(.*)$", value)
    if not match:
        return value or None
    rest = re.match(r"(?!in)\s*+([\d.,⁄/ -]*+)\s*+in$", match[3])
    return f"{match[1].rstrip()} {match[2]}" + (f" {rest[1].rstrip()} in" if rest else "")


def quantity(arguments: Arguments) -> str | None:
    """`{{val|1.2|0.1|e=5|u=m}}` -> "(1.2±0.1)×10^5 m"."""
    number = arguments.get("1")
    if not number:
        return f"10^{_minus(arguments['e'])}" if arguments.get("e") else None
    second, third = arguments.get("2"), arguments.get("3")
    if third:
        number += f" +{second.lstrip('+')} −{third.lstrip('-−')}" if second else ""
    elif second:
        number += f"±{second}"
    elif arguments.get("err"):
        number += f"±{arguments['err']}"
    power = arguments.get("e")
    if power:
        number = f"({number})" if second else number
        number += f"×10^{_minus(power)}"
    unit = next((arguments[name] for name in ("u", "ul") if arguments.get(name)), "")
    below = next((arguments[name] for name in ("up", "upl") if arguments.get(name)), "")
    number = arguments.get("p", "") + number + arguments.get("s", "")
    space = "" if unit in ("%", "°") else " "
    return _minus(number) + (space + _UNITS.get(unit, unit) if unit else "") + ("/" + below if below else "")


def power_of_ten(arguments: Arguments) -> str | None:
    """`{{e|24}}` -> "×10^24"."""
    return f"×10^{_minus(arguments['1'])}" if arguments.get("1") else None


def fraction(arguments: Arguments) -> str | None:
    """`{{frac|2}}` -> "1/2"; `{{frac|3|4}}` -> "3/4"; `{{frac|1|3|4}}` -> "1 3/4"."""
    values = numbered(arguments)[:3]
    if not values or not all(values):
        return None
    if len(values) == 1:
        return f"1/{values[0]}"
    return f"{values[0]} {values[1]}/{values[2]}" if len(values) == 3 else "/".join(values)


def formula(arguments: Arguments) -> str | None:
    """`{{chem|H|2|O}}` and `{{chem2|H2O}}` -> "H2O"; `{{chem2|SO4(2-)}}` -> "SO42−"."""
    values = numbered(arguments)
    if not any(values):
        return None
    text = "".join(values)
    if len(values) == 1:
        text = re.sub(r"\((\d*[-+−])\)", r"\1", text).replace("<->", "⇌").replace("->", "→").replace("*", "·")
    return re.sub(r"(?<=\w)-(?=$|[\s)])", "−", text)


def nuclide(arguments: Arguments, symbols: Mapping[str, str]) -> str | None:
    """`{{nuclide|carbon|14}}` -> "14C"."""
    element = arguments.get("1", "")
    return arguments.get("2", "") + symbols.get(element.lower(), element) if element else None


def ship(arguments: Arguments, prefix: str) -> str | None:
    """`{{HMS|Hood|51}}` -> "HMS Hood (51)"; the last argument chooses what of it is shown."""
    name, number, shown = arguments.get("1"), arguments.get("2"), arguments.get("3")
    return _ship(prefix, name, number, shown)


def ship_with_prefix(arguments: Arguments) -> str | None:
    """`{{ship|HMS|Beagle}}` -> "HMS Beagle"; `{{ship||Bismarck|1939}}` -> "Bismarck"."""
    return _ship(
        arguments.get("1", ""), arguments.get("2"), arguments.get("3"), arguments.get("4") or arguments.get("up")
    )


def _ship(prefix: str, name: str | None, number: str | None, shown: str | None) -> str | None:
    if not name:
        return None
    if shown == "1":
        return number or name
    if shown == "6":
        return name
    if shown == "3":
        return f"{name} ({number})" if number else name
    full = f"{prefix} {name}".strip()
    return full if not number or shown == "2" or not prefix else f"{full} ({number})"


def interlanguage(arguments: Arguments, languages: frozenset[str]) -> str | None:
    """`{{ill|Luigi Rossi|it}}` -> "Luigi Rossi"; also the old order, `{{ill|it|Rossi (compositore)|Luigi Rossi}}`."""
    if arguments.get("lt"):
        return arguments["lt"]
    first = arguments.get("1", "")
    if first in languages and arguments.get("2") and arguments["2"] not in languages:
        return next(arguments[name] for name in ("4", "3", "2") if arguments.get(name))
    return first or None


def last(arguments: Arguments) -> str | None:
    """`{{transl|ar|DIN|Allāh}}` -> "Allāh": the last argument by number."""
    values = [value for value in numbered(arguments) if value]
    return arguments.get("text") or (values[-1] if values else None)


def authors(arguments: Arguments, brackets: str = "") -> str | None:
    """`{{harvtxt|Boolos|Jeffrey|1974}}` -> "Boolos & Jeffrey (1974)", or "(Boolos & Jeffrey 1974)" of "all"."""
    values = [value for value in numbered(arguments) if value]
    if len(values) < 2:
        return values[0] if values else None
    *names, year = values
    who = " & ".join(names) if len(names) < 3 else ", ".join(names[:-1]) + " & " + names[-1]
    who = names[0] + " et al." if len(names) > 3 else who
    page = arguments.get("p") or arguments.get("pp") or arguments.get("loc")
    pages = f", {'pp. ' if arguments.get('pp') else 'p. '}{page}" if page else ""
    return {"year": f"{who} ({year}{pages})", "all": f"({who} {year}{pages})"}.get(brackets, f"{who} {year}{pages}")


def density(arguments: Arguments) -> str | None:
    """`{{pop density|3645257|640081|km2|sqmi|prec=1}}` -> "5.7/km²"."""
    try:
        people, area = (float(arguments[name].replace(",", "")) for name in ("1", "2"))
        value = round(people / area, int(arguments.get("prec", "0") or 0))
    except (KeyError, ValueError, ArithmeticError):
        return None
    unit = arguments.get("3", "km2")
    return f"{value:g}/{_UNITS.get(unit, unit)}"


def unit_by_parts(arguments: Arguments) -> str | None:
    """`{{unité|5|km}}` -> "5 km"; `{{unité|10|m|2}}` -> "10 m²"; `{{unité|3|m||s|-1}}` -> "3 m⋅s⁻¹"."""
    values = numbered(arguments)
    if not values or not values[0]:
        return None
    words, unit = [values[0]], ""
    for index, value in enumerate(values[1:9]):
        if index % 2 == 0 or not re.fullmatch(r"[-−+]?\d+", value):
            joint = "⋅" if unit and index % 2 == 0 and value and value[0] not in "/⋅" else ""
            unit += joint + value
        else:
            unit += "" if value == "1" else value.translate(_RAISED)
    power = next((arguments[name] for name in ("e", "E", "exposant") if arguments.get(name)), "")
    if power:
        words.append(f"×10^{_minus(power)}")
    return "".join(words) + (f" {unit}" if unit else "")


def height(arguments: Arguments, levels: Mapping[str, str]) -> str | None:
    """`{{Höhe|2962|DE-NHN}}` -> "2962 m ü. NHN"."""
    value = arguments.get("1")
    if not value:
        return None
    level = levels.get(arguments.get("2", "").lower(), "")
    return f"{value} m" + (f" {level}" if level else "")


def flag_words(arguments: Arguments, countries: Mapping[str, str]) -> str | None:
    """`{{flag|FRA}}` -> "France"; `name=` is shown instead."""
    code = arguments.get("1", "")
    return arguments.get("name") or countries.get(code.lower(), code) or None


def _minus(text: str) -> str:
    return "−" + text[1:] if text.startswith("-") else text


_RAISED = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")

_PLAIN: dict[str, Callable[..., str | None]] = {
    "items": items,
    "measure": measure,
    "gauge": gauge,
    "quantity": quantity,
    "power_of_ten": power_of_ten,
    "fraction": fraction,
    "formula": formula,
    "nuclide": nuclide,
    "ship": ship,
    "ship_with_prefix": ship_with_prefix,
    "as_of": template_dates.as_of,
    "year_month_day": template_dates.year_month_day,
    "day_month_year": template_dates.day_month_year,
    "interlanguage": interlanguage,
    "last": last,
    "authors": authors,
    "density": density,
    "unit_by_parts": unit_by_parts,
    "height": height,
    "life_dates": template_dates.life_dates,
    "century": template_dates.century,
    "flag_words": flag_words,
    "circa": template_dates.circa,
}
_TABLES = {
    "nuclide": {"symbols": "elements"},
    "as_of": {"months": "months"},
    "year_month_day": {"months": "months"},
    "day_month_year": {"months": "months"},
    "height": {"levels": "levels"},
    "flag_words": {"countries": "countries"},
}


def formatted(name: str, options: JsonObject, tables: Tables) -> Callable[[Arguments, str], str | None]:
    """The format of a name, with the options and the tables of the file that uses it."""
    function = _PLAIN[name]
    bound: dict[str, object] = dict(options)
    bound |= {argument: tables.get(table, {}) for argument, table in _TABLES.get(name, {}).items()}
    if name == "interlanguage":
        bound["languages"] = LANGUAGES
    return lambda arguments, star: function(arguments, **bound)
