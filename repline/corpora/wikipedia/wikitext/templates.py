"""Render the templates of a page: arguments by name and number, rules by name, and a count of what left no words."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from repline.cards import TemplateSummary
from repline.corpora.wikipedia.wikitext.elements import LOST, NOTHING, apart, protected
from repline.corpora.wikipedia.wikitext.link_marks import MIDDLE, START, changed_words, unmarked
from repline.corpora.wikipedia.wikitext.names import TEMPLATE_NAMES
from repline.corpora.wikipedia.wikitext.template_rules import Rule, Rules, rules_of, silent

Unknown = Literal["drop", "text", "mark"]

_PAGE_NAMES = frozenset(
    {"pagename", "fullpagename", "basepagename", "subjectpagename", "articlepagename", "pagenamebase", "subpagename"}
)
_SUBSTITUTION = re.compile(r"(?:safesubst|subst|msgnw|msg|raw)\s*:\s*", re.I)
MOST_SHOWN = 30  # names of templates on a card
_LONGEST_NAME = 200
_MOST_CACHED = 50_000  # names of templates whose rules are remembered
_AROUND = 30  # characters before and after a template that left no words
_SUM = re.compile(r"\s*-?\d+(?:\.\d+)?(?:\s*[-+*/]\s*\d+(?:\.\d+)?)*\s*")


@dataclass
class TemplateCounts:
    """Counts of the templates of one page or of many, by how they were handled.

    Args:
        rendered: how many left words.
        silent: name -> how many in which a reader sees no words: flags, notes, references.
        dropped: name -> how many stood in a line of text and left no words, for want of a rule or an argument.
        alone: how many without a rule stood alone on their lines, as boxes and bars do.
        examples: name -> the words around the first that was dropped.
    """

    rendered: int = 0
    silent: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, counts: "TemplateCounts") -> None:
        """Add the counts of other text."""
        self.rendered += counts.rendered
        self.silent.update(counts.silent)
        self.dropped.update(counts.dropped)
        self.alone += counts.alone
        for name, example in counts.examples.items():
            self.examples.setdefault(name, example)

    def summary(self, names: int = MOST_SHOWN) -> TemplateSummary:
        """The counts for a card, with the most frequent names, and the words around one of each that was dropped.

        Returns:
            `rendered`, `silent`, `dropped` and `alone`: how many; `most_silent`: [{name, count}]; `most_dropped`:
            [{name, count, around}], where "…" stands for the template.
        """
        dropped = sorted(self.dropped.items(), key=lambda item: (-item[1], item[0]))[:names]
        silent = sorted(self.silent.items(), key=lambda item: (-item[1], item[0]))[:names]
        return {
            "rendered": self.rendered,
            "silent": self.silent.total(),
            "dropped": self.dropped.total(),
            "alone": self.alone,
            "most_dropped": [
                {"name": name, "count": count, "around": self.examples.get(name, "")} for name, count in dropped
            ],
            "most_silent": [{"name": name, "count": count} for name, count in silent],
        }

    def drop(self, name: str, before: str, after: str) -> None:
        """Count a template without words between two pieces of text."""
        line = before.rpartition("\n")[2]
        begins = ("\n" in before or not before) and not line.strip(" *#:;" + LOST + NOTHING)
        if begins and (not after.strip(" .") or after.lstrip(" .").startswith("\n")):
            self.alone += 1
            return
        self.dropped[name] += 1
        if name not in self.examples:
            words = f"{line[-_AROUND:]} … {after.partition(chr(10))[0][:_AROUND]}"
            self.examples[name] = " ".join("".join(c for c in unmarked(words)[0] if c.isprintable()).split())


def templates_line(templates: TemplateSummary) -> str:
    """One line on `TemplateCounts.summary`, with the names that most often left no words in their sentence."""
    names = ", ".join(f"{entry['name']} {entry['count']:,}" for entry in templates["most_dropped"])
    return (
        f"templates: {templates['rendered']:,} left words, {templates['dropped']:,} in sentences have no rule"
        f"{f' ({names})' if names else ''}; {templates['silent']:,} show no words, {templates['alone']:,} stood alone"
    )


class Lookup(NamedTuple):
    """What is known of a template by its name: its rule, what the star in the rule's name stands for, its name."""

    rule: Rule | None
    star: str
    name: str


class Templates:
    """The templates of one wiki.

    Args:
        language: its code, without a variant.
        unknown: what an in-line template without a rule leaves: nothing, the text of its arguments, or its name.
        added: (name, pattern) of a user's rules, see `template_rules`.
        namespaces: lower-case names of the namespace of templates, as in `{{Template:lang|de|Wien}}`.
    """

    def __init__(
        self,
        language: str,
        unknown: Unknown = "drop",
        added: tuple[tuple[str, str], ...] = (),
        namespaces: frozenset[str] = TEMPLATE_NAMES,
    ) -> None:
        self.language, self.unknown, self.added, self.namespaces = language, unknown, added, namespaces
        self.rules: Rules = rules_of(language, added)
        self.lookups: dict[str, Lookup] = {}

    def __reduce__(self) -> tuple[type["Templates"], tuple[str, Unknown, tuple[tuple[str, str], ...], frozenset[str]]]:
        return Templates, (self.language, self.unknown, self.added, self.namespaces)

    def look_up(self, head: str) -> Lookup:
        """The rule of what stands before the first `|`."""
        lookup = self.lookups.get(head)
        if lookup is None:
            if len(self.lookups) >= _MOST_CACHED:
                self.lookups.clear()
            name = self.name(head)
            rule, star = self._rule(name) or (None, "")
            lookup = self.lookups[head] = Lookup(rule, star, name.lower()[:_LONGEST_NAME])
        return lookup

    def _rule(self, name: str) -> tuple[Rule, str] | None:
        rule = self.rules.find(name)
        if rule is not None or ":" not in name:
            return rule
        function, _, argument = name.partition(":")
        function_rule = _FUNCTIONS.get(function.strip().lower())
        if function_rule is not None:
            return function_rule, argument.strip()
        if function.strip().isupper() or function.strip().lower() in _SILENT_FUNCTIONS:  # {{DEFAULTSORT:Wien}}
            return silent, ""
        return None

    def name(self, head: str) -> str:
        """The name of a template without its namespace, blanks and underscores as single blanks."""
        name = head
        if "_" in name and not name.strip().startswith("_"):
            name = name.replace("_", " ")
        name = " ".join(name.split())
        if ":" in name:
            name = _SUBSTITUTION.sub("", name)
            space, _, rest = name.lstrip(":").partition(":")
            if rest and space.strip().lower() in self.namespaces:
                name = rest.strip()
        return name

    def is_rendered(self, head: str) -> bool:
        """Whether the arguments of this template are worth resolving."""
        rule = self.look_up(head).rule
        return rule is not None and rule is not silent

    def rendered(self, template: str, title: str, counts: TemplateCounts, before: str, after: str) -> str:
        """The words that a template leaves in the sentence.

        Args:
            template: what stands between the braces, with the templates in it rendered. The marks of its links stay
                where the words are the same as without them.
            title: the page's title, which `{{PAGENAME}}` means.
            counts: is added to.
            before, after: the text around it, for an example of a template that leaves no words.
        """
        plain = unmarked(template)[0]
        head = plain.partition("|")[0]
        rule, _, name = self.look_up(head)
        if rule is silent:
            counts.silent[name] += 1
            return LOST
        if rule is None:
            if name in _PAGE_NAMES:
                counts.rendered += 1
                return title
            return self._unknown(head, template.partition("|")[2], counts, before, after)
        words = self._shown(plain)
        if plain != template:
            with_marks = self._shown(template)
            words = with_marks if with_marks and unmarked(with_marks)[0] == words else words
        if words is None:
            counts.drop(name, before, after)
            return LOST
        if words and words[0] in "*#:;=!" and before.endswith("\n"):
            words = NOTHING + words
        counts.rendered += 1
        return apart(words, before, after)

    def _shown(self, template: str) -> str | None:
        head, bar, body = template.partition("|")
        rule, star, _ = self.look_up(head)
        return rule(arguments_of(body) if bar else _NO_ARGUMENTS, star) if rule is not None else None

    def unresolved(self, head: str, counts: TemplateCounts, before: str, after: str) -> str:
        """Count a template whose arguments were not resolved, for want of a rule or because it is too far inside."""
        rule, _, name = self.look_up(unmarked(head)[0])
        if rule is silent:
            counts.silent[name] += 1
        else:
            counts.drop(name, before, after)
        return LOST

    def _unknown(self, head: str, body: str, counts: TemplateCounts, before: str, after: str) -> str:
        name = self.name(head)
        number = counts.alone
        counts.drop(name.lower()[:_LONGEST_NAME], before, after)
        if self.unknown == "drop" or counts.alone > number:
            return LOST
        if self.unknown == "mark":
            return protected("{{" + name + "}}")
        values = arguments_of(body)
        return " ".join(value for key, value in values.items() if key.isdecimal() and value) or LOST


_BLANK = LOST + " \n\t\r\xa0"
_NO_ARGUMENTS: Mapping[str, str] = {}


def arguments_of(body: str) -> dict[str, str]:
    """The arguments of a template by name, those without a name by number; the last of two with one name counts."""
    arguments: dict[str, str] = {}
    number = 0
    for part in body.split("|"):
        name, equals, value = part.partition("=")
        if equals:
            arguments[name.strip()] = value.strip(_BLANK)
        else:
            number += 1
            arguments[str(number)] = part.strip(_BLANK)
    return arguments


def _words(function: Callable[[str], str]) -> Rule:
    def rule(arguments: Mapping[str, str], text: str) -> str | None:
        return function(text) or None

    return rule


def _if(arguments: Mapping[str, str], condition: str) -> str:
    return arguments.get("1" if condition else "2", "")


def _if_equal(arguments: Mapping[str, str], first: str) -> str:
    return arguments.get("2" if first == arguments.get("1", "") else "3", "")


def _sum(arguments: Mapping[str, str], text: str) -> str | None:
    """Sums and products of plain numbers; anything else is not rendered."""
    if not _SUM.fullmatch(text) or len(text) > 60:
        return None
    total = 0.0
    for sign, term in re.findall(r"([-+]?)\s*(\d[\d.]*(?:\s*[*/]\s*\d[\d.]*)*)", text):
        factors = re.split(r"\s*([*/])\s*", term.strip())
        value = float(factors[0])
        for operation, factor in zip(factors[1::2], factors[2::2], strict=True):
            if operation == "/" and not float(factor):
                return None
            value = value * float(factor) if operation == "*" else value / float(factor)
        total += -value if sign == "-" else value
    return f"{total:.10g}"


def _plural(arguments: Mapping[str, str], number: str) -> str | None:
    return arguments.get("1" if number.strip() == "1" else "2", arguments.get("1")) or None


_FIRST = re.compile(rf"^({START}[0-9a-f]*{MIDDLE}|)(.)", re.DOTALL)  # the first letter, within a link or not
_SILENT_FUNCTIONS = frozenset({"#tag", "defaultsort", "displaytitle", "#seo", "#related", "#coordinates", "sortierung"})
_FUNCTIONS: dict[str, Rule] = {
    "formatnum": _words(str),
    "lc": _words(lambda text: changed_words(text, str.lower)),
    "uc": _words(lambda text: changed_words(text, str.upper)),
    "lcfirst": _words(lambda text: _FIRST.sub(lambda first: first[1] + first[2].lower(), text)),
    "ucfirst": _words(lambda text: _FIRST.sub(lambda first: first[1] + first[2].upper(), text)),
    "#if": _if,
    "#ifeq": _if_equal,
    "#expr": _sum,
    "plural": _plural,
    "#formatdate": _words(str),
    "#dateformat": _words(str),
}
