"""The few templates that stand for words of the sentence around them; every other template leaves no text."""

import re
from collections.abc import Callable

_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
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
    "+/-": " ± ",
}
_UNITS = {
    "km2": "km²",
    "m2": "m²",
    "cm2": "cm²",
    "m3": "m³",
    "km3": "km³",
    "sqmi": "sq mi",
    "sqft": "sq ft",
    "sqkm": "km²",
}


def _arguments(body: str) -> list[str]:
    """Positional arguments; links inside them count as their labels."""
    if "[[" in body:
        body = _LINK.sub(r"\1", body)
    return [part.strip() for part in body.split("|") if "=" not in part]


def _argument(index: int) -> Callable[[str], str]:
    def chosen(body: str) -> str:
        arguments = _arguments(body)
        return arguments[index] if len(arguments) > index else ""

    return chosen


def _measure(body: str) -> str:
    """`{{convert|5|to|10|km|mi}}` -> "5 to 10 km"; `{{convert|5|ft|6|in|m}}` -> "5 ft 6 in"."""
    words: list[str] = []
    arguments = _arguments(body)
    for index, argument in enumerate(arguments):
        if _NUMBER.match(argument):
            words.append(argument)
            continue
        if argument in _BETWEEN:
            words.append(_BETWEEN[argument])
            continue
        words.append(" " + _UNITS.get(argument, argument))
        if not (
            argument in ("ft", "lb", "st", "mi") and index + 2 < len(arguments) and _NUMBER.match(arguments[index + 1])
        ):
            break
        words.append(" ")
    return "".join(words)


def _fraction(body: str) -> str:
    arguments = _arguments(body)
    return f"{arguments[0]} {arguments[1]}/{arguments[2]}" if len(arguments) == 3 else "/".join(arguments[:2])


_FIRST, _SECOND = _argument(0), _argument(1)
_LAST_OF_TWO: Callable[[str], str] = lambda body: (_arguments(body)[:2] or [""])[-1]  # noqa: E731
INLINE: dict[str, Callable[[str], str]] = {
    "lang": _SECOND,
    "transl": _LAST_OF_TWO,
    "transliteration": _LAST_OF_TWO,
    "convert": _measure,
    "cvt": _measure,
    "val": _FIRST,
    "frac": _fraction,
    "as of": lambda body: "As of " + "-".join(_arguments(body)[:1]),
    "circa": lambda body: "c. " + _FIRST(body),
    "=": lambda body: "=",
    "'": lambda body: "'",
    "'s": lambda body: "'s",
    "·": lambda body: " · ",
    "nbsp": lambda body: " ",
    "ndash": lambda body: "–",
    "mdash": lambda body: "—",
    "spaced ndash": lambda body: " – ",
    "snd": lambda body: " – ",
    "spnd": lambda body: " – ",
} | dict.fromkeys([
    "nowrap", "nobr", "nobreak", "nobold", "smaller", "small", "big", "em", "strong", "bdi", "bdo", "abbr", "angbr",
    "quote", "blockquote", "vanchor", "visible anchor", "ill", "interlanguage link", "nihongo", "sic",
], _FIRST)  # fmt: skip
_PAGE_NAMES = frozenset(
    {"pagename", "fullpagename", "basepagename", "subjectpagename", "articlepagename", "pagenamebase"}
)


def rendered(template: str, title: str) -> str:
    """The words that a template without templates inside leaves in the sentence; "" for nearly all.

    Args:
        template: what stands between the braces.
        title: the page's title, which `{{PAGENAME}}` means.
    """
    name, _, body = template.partition("|")
    name = name.strip().lower()
    rule = INLINE.get(name)
    if rule is not None:
        return rule(body)
    if name in _PAGE_NAMES:
        return title
    if name.startswith("lang-"):
        return _FIRST(body)
    if name.startswith("formatnum:"):
        return name[len("formatnum:") :]
    return ""
