"""What differs between the wikitext of two wikis: namespaces, templates, language variants, how lines join."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from repline.corpora.wikipedia.wikitext.names import (
    CATEGORY_NAMES,
    FILE_NAMES,
    HANT,
    MEDIA_NAMES,
    TEMPLATE_NAMES,
    UNSPACED,
    VARIANTS,
)
from repline.corpora.wikipedia.wikitext.templates import Templates, Unknown


@dataclass(frozen=True)
class Dialect:
    """The wikitext of one wiki.

    Args:
        language: its language code ("en", "zh", "zh-tw": the part after a hyphen picks the variant).
        dropped: lower-case namespace names whose links leave no text: files and categories.
        media: lower-case names of the namespace whose links lead to a file and show their label.
        namespaces: lower-case names of all namespaces that are known: one without anything behind it is no title.
        templates: the rules of its templates.
    """

    language: str
    dropped: frozenset[str]
    media: frozenset[str] = MEDIA_NAMES
    namespaces: frozenset[str] = frozenset()
    templates: Templates = field(default_factory=lambda: Templates("en"), compare=False)

    @property
    def primary(self) -> str:
        """The language without its variant: "zh" of "zh-tw"."""
        return self.language.lower().partition("-")[0]

    @property
    def variants(self) -> tuple[str, ...]:
        """Variant codes in order of preference; empty where the wiki converts nothing."""
        variants = VARIANTS.get(self.primary, ())
        language = self.language.lower()
        if not variants or language == self.primary:
            return variants
        first = HANT if language in HANT else ()
        return (language, *first, *variants)

    @property
    def line_joiner(self) -> str:
        """What a line break inside a paragraph stands for: a space, or nothing in scripts without spaces."""
        return "" if self.primary in UNSPACED else " "


def dialect(
    language: str,
    namespaces: Mapping[int, str] | None = None,
    *,
    unknown: Unknown = "drop",
    rules: Mapping[str, str] | None = None,
) -> Dialect:
    """The dialect of a wiki from its language and its namespaces.

    Args:
        language: code of the language, with or without a variant.
        namespaces: number -> local name as `<siteinfo>` lists them; 6 is File, 10 is Template, 14 is Category.
        unknown: what a template without a rule leaves in its sentence, see `wikitext.templates.Templates`.
        rules: name of a template -> pattern, see `wikitext.template_rules`; they replace the rules of the language.

    Raises:
        InputError: a rule that is no pattern.
    """
    listed = {number: name.strip().lower().replace("_", " ") for number, name in (namespaces or {}).items()}
    site_names = {listed[number] for number in (6, 14) if number in listed}
    common_names = {name.replace("_", " ") for name in FILE_NAMES | CATEGORY_NAMES}
    template_names = {name.replace("_", " ") for name in TEMPLATE_NAMES} | {listed.get(10, "template")}
    templates = Templates(
        language.lower().partition("-")[0], unknown, tuple((rules or {}).items()), frozenset(template_names)
    )
    dropped, media = frozenset(site_names | common_names), MEDIA_NAMES | {listed.get(-2, "media")}
    names = dropped | media | template_names | set(listed.values()) - {""}
    return Dialect(language, dropped, media, names, templates)


_FLAGS = frozenset("ATRDHNS+-")


def converted(content: str, variants: tuple[str, ...]) -> str:
    """The text that a reader sees of a language converter mark `-{content}-`.

    Args:
        content: "zh-hans:计算机; zh-hant:電腦", with or without flags ("A|...", "H|...", "zh-hans|...").
        variants: codes in order of preference.

    Source: https://www.mediawiki.org/wiki/Writing_systems/Syntax
    """
    head, bar, body = content.partition("|")
    flags = {flag.strip() for flag in head.split(";")} if bar else set()
    if bar and all(flag.upper() in _FLAGS or flag.lower() in variants for flag in flags):
        shown = {flag.upper() for flag in flags}
        if shown & {"H", "T", "-"}:
            return ""
        if shown & {"R", "N"} or any(flag.lower() in variants for flag in flags):
            return body
    else:
        body = content
    rules: dict[str, list[str]] = {}  # of each code, the pieces of its text between semicolons
    for part in body.split(";"):
        head, colon, text = part.partition(":")
        code = head.rpartition("=>")[2].strip().lower()
        if colon and code in variants:
            rules.setdefault(code, [text.strip()])
        elif rules and part.strip():
            rules[next(reversed(rules))].append(part)
        elif part.strip():
            return body
    return next((";".join(rules[code]) for code in variants if code in rules), "")
