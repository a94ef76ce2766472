"""The section of params.yaml that says how a dump of Wikipedia is read."""

from typing import Literal

from pydantic import Field

from repline.parameters import Section


class TemplateRules(Section):
    """Which words templates leave in their sentences.

    Attributes:
        unknown: what an in-line template without a rule leaves: "drop" nothing, "text" its arguments by number, "mark"
            its name in braces. The card counts it in each case.
        rules: name of a template -> pattern, see `wikitext.template_rules`; "" where a reader sees no words. They go
            before the rules of the language in `wikitext/template_data`.
    """

    unknown: Literal["drop", "text", "mark"] = "drop"
    rules: dict[str, str] = Field(default_factory=dict)


class Extraction(Section):
    """How the articles of a dump are extracted, see `extraction.extract`.

    Attributes:
        language: code of the dump's language, checked against its `xml:lang`; "zh-tw" picks a variant.
        on_error: at a break, "stop" refuses the dump, "salvage" keeps the pages before it and says so on the card.
        templates: a user's rules for templates, and what those without a rule leave.
        verify: refuse a dump whose recorded SHA-1s disagree with more than one page in a thousand (fewer are noted).
    """

    language: str = "en"
    on_error: Literal["stop", "salvage"] = "stop"
    verify: bool = True
    templates: TemplateRules = Field(default_factory=TemplateRules)
