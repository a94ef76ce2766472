"""The section of params.yaml that says how a dump of Wikipedia is read."""

from typing import Literal

from repline.parameters import Section


class Extraction(Section):
    """How the articles of a dump are extracted, see `extraction.extract`.

    Attributes:
        language: code of the dump's language, checked against its `xml:lang`; "zh-tw" picks a variant.
        on_error: at a break, "stop" refuses the dump, "salvage" keeps the pages before it and says so on the card.
        verify: refuse a dump whose recorded SHA-1s disagree with more than one page in a thousand (fewer are noted).
    """

    language: str = "en"
    on_error: Literal["stop", "salvage"] = "stop"
    verify: bool = True
