"""Codes of languages and their variants: `zh`, `zh_CN`, `en-GB`."""

import re
from collections.abc import Sequence


def is_of(code: str, language: str) -> bool:
    """Whether a code belongs to a language: all variants belong to `en`, and only `en-GB` to `en-GB`.

    >>> is_of("en_GB", "en"), is_of("EN-gb", "en-GB"), is_of("en-US", "en-GB")
    (True, True, False)
    """
    parts, wanted_parts = (re.split("[-_]", name.lower()) for name in (code, language))
    return parts == wanted_parts if len(wanted_parts) > 1 else parts[0] == wanted_parts[0]


def language_of(code: str, languages: Sequence[str]) -> str | None:
    """The first of the languages that the code is of, variants before whole languages; None where it is of none."""
    by_detail = sorted(languages, key=lambda language: -len(re.split("[-_]", language)))
    return next((language for language in by_detail if is_of(code, language)), None)
