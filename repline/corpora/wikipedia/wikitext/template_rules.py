"""Rules of templates: which words a template leaves in its sentence, read from YAML files, one per language.

A rule is a pattern, a named format of `template_formats`, or the empty pattern for templates that show no words. In a
pattern `{1}` is an argument, `{lt|2|1}` the first of several that is not empty, `{2|=e}` one that is "e" by default,
`{1:countries}` one that is looked up in a table of the file, `{*, }` all arguments by number joined by ", ", and `{@}`
what the star of a name such as `lang-*` stands for. What stands between `[` and `]` goes when an argument in it is
missing; a template that lacks any other argument is not rendered.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import yaml

from repline.corpora.wikipedia.wikitext import template_formats
from repline.corpora.wikipedia.wikitext.elements import protected
from repline.corpora.wikipedia.wikitext.names import LANGUAGES
from repline.corpora.wikipedia.wikitext.template_arguments import Arguments, numbered
from repline.errors import InputError, shown
from repline.parameters import Values

Rule = Callable[[Arguments, str], str | None]  # (arguments, what the star of the name stands for) -> the words, or None
Tables = Mapping[str, Mapping[str, str]]

_LANGUAGE_FILES = ("de", "en", "es", "fr", "it", "ja", "pt", "ru", "zh")
_PARTS = re.compile(r"\{([^{}]*)\}|\[([^\[\]]*)\]")


@dataclass(frozen=True)
class Rules:
    """Rules by the lower-case name of the template.

    Args:
        exact: name -> rule.
        prefixes: (beginning of the name, rule), for names such as `lang-*`; the longest first.
        suffixes: (end of the name, rule), for names such as `* icon`.
        capitals: name -> rule, where it counts that the name is in capitals, as in `{{HMS|Victory}}`.
        codes: name of a country or its code, as in `{{FRA}}` -> the words.
    """

    exact: Mapping[str, Rule]
    prefixes: Sequence[tuple[str, Rule]] = ()
    suffixes: Sequence[tuple[str, Rule]] = ()
    capitals: Mapping[str, Rule] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)

    def find(self, name: str) -> tuple[Rule, str] | None:
        """The rule of a template's name without a namespace, and what the star in the rule's name stands for."""
        rule = self.capitals.get(name)
        if rule is not None:
            return rule, ""
        key = name.lower()
        rule = self.exact.get(key)
        if rule is not None:
            return rule, ""
        words = self.codes.get(name)
        if words is not None:
            return _constant(words), ""
        for prefix, rule in self.prefixes:
            if key.startswith(prefix):
                return rule, name[len(prefix) :]
        for suffix, rule in self.suffixes:
            if key.endswith(suffix):
                return rule, name[: -len(suffix)]
        return None


def silent(arguments: Arguments, star: str) -> str:
    """The rule of a template in which a reader sees no words: a flag, a note, a reference."""
    return ""


def pattern_rule(pattern: str, tables: Tables | None = None) -> Rule:
    """The rule of a pattern, see the module.

    Raises:
        InputError: a table that does not exist.
    """
    if not pattern:
        return silent
    pieces = [_piece(match, pattern, tables or {}) for match in _split(pattern)]
    if len(pieces) == 1:
        return pieces[0]

    def rule(arguments: Arguments, star: str) -> str | None:
        words = []
        for piece in pieces:
            text = piece(arguments, star)
            if text is None:
                return None
            words.append(text)
        return "".join(words)

    return rule


def _split(pattern: str) -> list[re.Match[str] | str]:
    parts: list[re.Match[str] | str] = []
    end = 0
    for match in _PARTS.finditer(pattern):
        if match.start() > end:
            parts.append(pattern[end : match.start()])
        parts.append(match)
        end = match.end()
    return [*parts, pattern[end:]] if end < len(pattern) else parts


def _piece(part: re.Match[str] | str, pattern: str, tables: Tables) -> Rule:
    if isinstance(part, str):
        return _constant(part)
    if part[2] is not None:
        inner = pattern_rule(part[2], tables)
        return lambda arguments, star: inner(arguments, star) or ""
    if part[1].startswith("*"):
        separator = protected(part[1][1:])
        return lambda arguments, star: separator.join(filter(None, numbered(arguments))) or None
    names, _, table = part[1].partition(":")
    if table and table not in tables:
        raise InputError(f"the rule {shown(pattern)} looks up the table {shown(table)}, which does not exist")
    if table:
        words = tables[table]
        inner = _argument(names.split("|"))

        def looked_up(arguments: Arguments, star: str) -> str | None:
            key = inner(arguments, star)
            return words.get(key.lower(), key) if key else None

        return looked_up
    return _argument(names.split("|"))


def _constant(text: str) -> Rule:
    text = protected(text, "'=*#:;") if text.strip() else text
    return lambda arguments, star: text


def _argument(names: list[str]) -> Rule:
    if names == ["@"]:
        return lambda arguments, star: star or None
    if len(names) == 1:
        name = names[0]
        return lambda arguments, star: arguments.get(name) or None
    if names[-1].startswith("="):
        *options, constant = names
        words = protected(constant[1:], "'=*#:;")
        return lambda arguments, star: next((arguments[name] for name in options if arguments.get(name)), words)
    return lambda arguments, star: next((arguments[name] for name in names if arguments.get(name)), None)


@cache
def rules_of(language: str, added: tuple[tuple[str, str], ...] = ()) -> Rules:
    """The rules of a wiki: those that all wikis share, those of its language, and those that were added.

    Args:
        language: code of the language, without a variant.
        added: (name of a template, pattern); they replace rules of the same name.

    Raises:
        InputError: an added pattern is invalid.
    """
    exact: dict[str, Rule] = {}
    prefixes: dict[str, Rule] = {}
    suffixes: dict[str, Rule] = {}
    capitals: dict[str, Rule] = {}
    codes: dict[str, str] = {}
    tables: dict[str, dict[str, str]] = {}
    base = "en" if language == "simple" else language
    files = [_read(name) for name in ("common", *([base] if base in _LANGUAGE_FILES else []))]
    for data in files:
        for table, words in data.get("tables", {}).items():
            tables[table] = {str(key).lower(): str(value) for key, value in words.items()}
        countries = {code: str(words) for code, words in data.get("tables", {}).get("countries", {}).items()}
        codes |= data.get("tables", {}).get("fixed", {})
        codes |= countries | ({} if base == "en" else {words: words for words in countries.values()})  # {{France}}
    for data in files:
        for entry in data["rules"]:
            for template in entry["templates"]:
                if entry.get("format") == "ship":
                    capitals[template] = _entry_rule(entry, template, tables)
                    continue
                _add(str(template), _entry_rule(entry, str(template), tables), exact, prefixes, suffixes)
        for template_suffix in data.get("language_suffixes", ()):  # {{enS|word}}
            rule = pattern_rule(template_suffix["shows"], tables)
            exact |= {code + template_suffix["suffix"]: rule for code in LANGUAGES if "-" not in code}
    for template, pattern in added:
        _add(template, pattern_rule(pattern, tables), exact, prefixes, suffixes)
    return Rules(
        exact, sorted(prefixes.items(), key=lambda item: -len(item[0])), list(suffixes.items()), capitals, codes
    )


def _add(
    template: str, rule: Rule, exact: dict[str, Rule], prefixes: dict[str, Rule], suffixes: dict[str, Rule]
) -> None:
    key = " ".join(template.replace("_", " ").lower().split()) or template
    if len(key) > 1 and key.endswith("*"):
        prefixes[key[:-1]] = rule
    elif len(key) > 1 and key.startswith("*"):
        suffixes[key[1:]] = rule
    else:
        exact[key] = rule


def _entry_rule(entry: Values, template: str, tables: Tables) -> Rule:
    if entry.get("format") == "ship":  # {{HMS|Victory}}: the name of the template is the prefix of the ship
        return template_formats.formatted("ship", {"prefix": template}, tables)
    if "format" in entry:
        return template_formats.formatted(entry["format"], entry.get("with", {}), tables)
    return pattern_rule(entry["shows"], tables)


@cache
def _read(name: str) -> Values:
    text = resources.files(__package__).joinpath("template_data", f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
