"""Character references of HTML, as MediaWiki shows them."""

import html
import re
from html.entities import html5

_ENTITY = re.compile(r"&(?:#[0-9]{1,10}|#[xX][0-9a-fA-F]{1,10}|[^\W\d_][^\W_]{1,31});")
_ADDED = {"&רלמ;": "\u200f", "&رلم;": "\u200f"}  # MediaWiki's own names of the right-to-left mark


def without_entities(text: str) -> str:
    """Text with the characters that its references name; what names no valid character stays as it is.

    Source: https://www.mediawiki.org/wiki/Help:Formatting, and `Sanitizer::validateCodepoint` of MediaWiki
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    reference = match[0]
    if reference[1] == "#":
        code = int(reference[3:-1], 16) if reference[2] in "xX" else int(reference[2:-1])
        if not _is_valid(code):
            return reference
        return chr(code) if code & 0xFFFE != 0xFFFE else ""  # U+10FFFE and its like are no characters
    if reference[1:] in html5:
        return html.unescape(reference)
    return _ADDED.get(reference, reference)


def _is_valid(code: int) -> bool:
    return (
        code in (0x09, 0x0A)
        or 0x20 <= code <= 0x7E
        or 0xA0 <= code <= 0xD7FF
        or (0xE000 <= code <= 0xFFFD and not 0xFDD0 <= code <= 0xFDEF)
        or 0x10000 <= code <= 0x10FFFF
    )
