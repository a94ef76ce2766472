"""Rules over a recogniser's entities: gazetteers, company suffixes, titles, and names that nothing types.

spaCy's SpanRuler finds what the rules say; `maximal` settles what overlaps.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, TypedDict

from repline.corpora.entities.gazetteers import Entry
from repline.corpora.entities.recipes import RuleSet
from repline.parameters import Json

if TYPE_CHECKING:
    from spacy.tokens import Span

COMPANY_SUFFIXES = (
    "AB AG Bancorp Bancorporation BV Co Co. Company Corp Corp. Corporation GmbH Group Holding Holdings Inc Inc. "
    "Incorporated LLC L.L.C. LLP L.P. Limited LP Ltd Ltd. NV N.V. Oy Oyj PLC Plc plc Pty S.A. SA S.p.A. SpA"
)
TITLES = (
    "Admiral Archbishop Ayatollah Baron Bishop Brigadier Capt. Captain Cardinal Chairman Chancellor Col. Colonel "
    "Commander Congressman Congresswoman Count Countess Dame Dr Dr. Duchess Duke Emperor Empress Gen. General Gov. "
    "Governor Judge Justice King Lady Lieutenant Lord Lt. Madame Maj. Major Mayor Miss Mme. Monsieur Mr Mr. Mrs Mrs. "
    "Ms Ms. Pope President Prince Princess Prof. Professor Queen Rabbi Rep. Rev. Reverend Sen. Senator Sergeant Sgt. "
    "Sheikh Sir Sultan"
)
PARTICLES = "al ben bin da de del della den der di du el ibn la le van von zu"
JOINING = frozenset(f"of & {PARTICLES}".split())  # between two capitalised words of one untyped name
OPENING = set("\"“”‘'`([{:;-–—*•.!?") | {"``", "''", "..", "...", "--", "-LRB-", "-LSB-"}  # a sentence may begin after
MOST_CAPITALS = 0.5  # of the words without a tag; a headline has more, and its capitals say nothing
GAZETTEER = "gazetteer"  # what the patterns of names are called
_TITLES = frozenset(TITLES.split())
_CONTEXT, _NER, _LIST = 2, 1, 0  # of two equal spans, which one counts


TokenPattern = Mapping[str, Json]  # what spaCy's Matcher asks of a token


class Pattern(TypedDict):
    """A pattern of spaCy's SpanRuler: a text, or what spaCy's Matcher asks of each token."""

    label: str
    pattern: str | list[TokenPattern]
    id: str


def patterns(gazetteer: Iterable[Entry], rules: Sequence[RuleSet], stop_words: Iterable[str]) -> list[Pattern]:
    """The patterns of the rule sets for spaCy's SpanRuler.

    Args:
        gazetteer: an entry counts where one of its lists is among the rules.
        rules: names of rule sets.
        stop_words: a single word that is one of them in lower case is left out (IN and US, as opposed to in and us).
    """
    stopped = set(stop_words)
    rule_patterns: list[Pattern] = [
        {"label": entry.label, "pattern": entry.name, "id": GAZETTEER}
        for entry in gazetteer
        if set(entry.origins) & set(rules) and entry.name.lower() not in stopped
    ]
    capital: dict[str, Json] = {"SHAPE": {"REGEX": "^d*X"}, "IS_STOP": False}
    if "company_suffixes" in rules:
        suffix: TokenPattern = {"ORTH": {"IN": COMPANY_SUFFIXES.split()}}
        between: list[list[TokenPattern]] = [[], [{"ORTH": "&"}, capital | {"OP": "{1,2}"}]]
        for inside in between:
            shape: list[TokenPattern] = [capital | {"OP": "{1,4}"}, *inside, {"ORTH": ",", "OP": "?"}, suffix]
            rule_patterns.append({"label": "ORG", "pattern": shape, "id": "company_suffixes"})
    if "titles" in rules:
        title: TokenPattern = {"ORTH": {"IN": TITLES.split()}}
        word: dict[str, Json] = capital | {"ORTH": {"NOT_IN": TITLES.split()}}
        particle: TokenPattern = {"ORTH": {"IN": PARTICLES.split()}, "OP": "{1,2}"}
        for person in ([word | {"OP": "{1,3}"}], [word | {"OP": "{0,2}"}, particle, word]):
            rule_patterns.append({"label": "PERSON", "pattern": [title, *person], "id": "titles"})
    return rule_patterns


def maximal(entities: Iterable["Span"], spans: Iterable["Span"]) -> list["Span"]:
    """Spans without overlaps, the longest first: a filter of spaCy's SpanRuler.

    Of two spans over the same tokens a company suffix or a title counts more than the recogniser, and the recogniser
    more than a gazetteer; of two that cross and are as long, the first. A title is no part of the name after it.

    Args:
        entities: of the recogniser.
        spans: of the rules, with the rule set as `id_`.
    """
    from spacy.tokens import Span

    ranked = [(entity, _NER) for entity in entities]
    for span in spans:
        if span.id_ == "titles":
            ranked.append((Span(span.doc, span.start + 1, span.end, label=span.label), _CONTEXT))
        else:
            ranked.append((span, _LIST if span.id_ == GAZETTEER else _CONTEXT))
    ranked.sort(key=lambda pair: (pair[0].start - pair[0].end, -pair[1], pair[0].start))
    taken: set[int] = set()
    disjoint = []
    for span, _ in ranked:
        if taken.isdisjoint(range(span.start, span.end)):
            taken.update(range(span.start, span.end))
            disjoint.append(span)
    return disjoint


def untyped_names(words: Sequence[str], tags: Sequence[str], stop_words: Set[str]) -> list[tuple[int, int]]:
    """Capitalised spans `(first token, the one after the last)` without a tag.

    A span is as long as can be: capitalised words, and small ones such as `of` and `van` between two of them. The first
    word of a sentence or a quotation counts only before another capitalised word. Where most of the
    words without a tag are capitalised, as in a headline, there is none.

    Args:
        words: of one sentence.
        tags: IOB2, "O" where there is no entity.
        stop_words: in lower case; a name contains none, except the small words.
    """
    capital = [word[:1].isupper() and tag == "O" for word, tag in zip(words, tags, strict=True)]
    other_words = sum(word[:1].isalpha() and tag == "O" for word, tag in zip(words, tags, strict=True))
    if not any(capital) or sum(capital) > max(2, MOST_CAPITALS * other_words):
        return []
    free = [big and word.lower() not in stop_words for word, big in zip(words, capital, strict=True)]
    names = []
    position = 0
    while position < len(words):
        if not free[position]:
            position += 1
            continue
        after = end = _end(words, tags, free, position)
        while end > position and after < len(words) and tags[after] == "B-PERSON" and words[end - 1] in _TITLES:
            end -= 1  # the title of the person after it
        opening = position == 0 or words[position - 1] in OPENING
        if end - position > (1 if opening else 0):
            names.append((position, end))
        position = after
    return names


def _end(words: Sequence[str], tags: Sequence[str], free: Sequence[bool], start: int) -> int:
    """The token after a span that begins at `start`."""
    end = start + 1
    while end < len(words):
        joined = end
        while joined < len(words) and words[joined] in JOINING and tags[joined] == "O" and joined - end < 2:
            joined += 1
        if joined == len(words) or not free[joined]:
            break
        end = joined + 1
    return end
