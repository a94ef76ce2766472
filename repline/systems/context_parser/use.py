"""Trained parsers of context_parser on raw sentences: `parse(sentence, context)`, `complete(sentence, context)`.

    parser = repline.load("data/models/context_parser/parsers/made_scenes/all")
    scene = "woman_1 Agent clean_1; mug_2 Theme clean_1; mug_2 Location table_1; mug_1 Location shelf_1"
    parser.complete("The woman cleans the ?? on the table", scene).filler                               # mug_2

A gap is written ??. A context is triplets of a scene between semicolons or on lines, or a list of them. A triplet is
`argument Relation predicate` or `(argument, Relation, predicate)`. Items have names with a number (`mug_2`); relations
are Agent, Theme, Own, Location, NextTo, Property.

A parser that was trained without the context, as on a treebank, takes the fillers of a gap from a context, and does not
know its relations; a `repline.errors.Notice` says so.
"""

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

from repline.corpora.scenes.scene import GAP, RELATIONS, SceneSentence, Triplet, Word, coarse_of, name_of
from repline.errors import InputError, Notice, shown
from repline.parameters import Json
from repline.segmentation import treebank
from repline.systems.context_parser.model import ContextParser, hidden
from repline.systems.context_parser.relations import candidates_of, context_of
from repline.systems.context_parser.settings import Weights
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import finite_number, one_or_all, text_of, texts_of

EXAMPLE = "mug_2 Location table_1; woman_1 Agent clean_1"
_TRIPLET_END = re.compile(r"[;\n]|(?<=\)),")
_PUNCTUATION = re.compile(r"[(),]")  # of a triplet as (mug_2, Location, table_1)
WITHOUT_CONTEXT = (
    "this parser was trained without context, as on a treebank: the relations of a context do not count, its items are "
    "only what may fill a gap; a parser of scenes knows relations"
)
WEIGHT = 5.0  # lambda of original and of inferred relations, with which most gaps are filled rightly


class TreeWord(NamedTuple):
    """A word of a parsed sentence.

    Attributes:
        form, lemma, tag: as the parser read it.
        head: the number of the word that it depends on, from 1; 0 for a root.
        items: of the scene that it may refer to; in a completed sentence the one that was chosen.
    """

    form: str
    lemma: str
    tag: str
    head: int
    items: tuple[str, ...]


@dataclass(frozen=True)
class Parse:
    """The dependency tree of a sentence, and how many of its words were in the training."""

    words: list[TreeWord]
    known_words: int


@dataclass(frozen=True)
class FilledGap:
    """What fills the first gap of a sentence.

    Attributes:
        filler: an item of the scene; None where the context has no item.
        word: its name.
        tag: the part of speech of the gap; None without a filler.
        words: of the sentence, with the tree and the items that go with the filler.
        candidates: among which it was chosen: items, tags, and items of the other words.
        known_words: words of the sentence that were in the training.
    """

    filler: str | None
    word: str | None
    tag: str | None
    words: list[TreeWord]
    candidates: int
    known_words: int


class RawContextParser:
    """A context-integrating parser of raw sentences.

    A sentence is split after the conventions of the Penn Treebank. A word has the lemma and the tag that it most often
    had in training, after the same word before it if it was there. A word that was not there is a verb, adjective or
    noun as the context has an item of its name, else a noun; a mark without letters is its own tag.

    Args:
        analyses: form -> (lemma, coarse tag, tag).
        after: the same by "word before TAB form", where it is another.
    """

    fields: ClassVar[tuple[str, ...]] = ("sentence",)
    optional_fields: ClassVar[tuple[str, ...]] = ("context",)

    def __init__(
        self, parser: ContextParser, analyses: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]
    ):
        self.parser, self.analyses, self.after = parser, analyses, after

    def words(self, sentence: str, triplets: Sequence[Triplet] = ()) -> list[Word]:
        """The words of a raw sentence with lemma and tags; `??` is a gap."""
        parts = re.split(r"(\?\?)", sentence)
        forms = [form for part in parts for form in ([GAP] if part == GAP else treebank.words(part))]
        return [self._word(form, before, triplets) for before, form in zip(["", *forms], forms, strict=False)]

    def parse(self, sentences: str | Sequence[str], context: Any = "", weight: float = WEIGHT) -> Any:
        """The tree of a raw sentence, or of each of a list of them: a `Parse`.

        A word that may refer to several items of the scene stands for all of them.

        Args:
            context: of all these sentences, as the head of this module says; "" for none.
            weight: lambda of the context.

        Raises:
            InputError: `sentences` is neither a text nor a list of texts, or the context is invalid.
        """
        weight, triplets = finite_number(weight, "weight"), triplets_of(context)
        texts = texts_of(sentences, "parse")
        self._say_if_unread(triplets)
        return one_or_all(sentences, [self._parse(text, triplets, weight) for text in texts])

    def complete(
        self, sentences: str | Sequence[str], context: Any, original: float = WEIGHT, inferred: float = WEIGHT
    ) -> Any:
        """What fills the first `??` of a sentence, or of each of a list of sentences: a `FilledGap`.

        Args:
            context: of all these sentences, as the head of this module says.
            original, inferred: lambda of the relations of the scene, and of those that follow from them.

        Raises:
            InputError: `sentences` is neither a text nor a list of texts, one has no gap, or the context is invalid.
        """
        weights = Weights(finite_number(original, "original"), finite_number(inferred, "inferred"))
        triplets = triplets_of(context)
        texts = texts_of(sentences, "complete")
        for text in texts:
            if GAP not in text:
                raise InputError(
                    f"complete takes sentences with a gap {GAP}, such as 'the ?? is on the table'; found {shown(text)}"
                )
        self._say_if_unread(triplets)
        return one_or_all(sentences, [self._complete(text, triplets, weights) for text in texts])

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The filled gap of each row's sentence; where it has no gap, its tree, and null for what fills it."""
        return [asdict(self._answer(row["sentence"], row.get("context", ""))) for row in rows]

    def _answer(self, sentence: str, context: str) -> FilledGap:
        if GAP in sentence:
            return self.complete(sentence, context)
        return _unfilled(self.parse(sentence, context))

    def _say_if_unread(self, triplets: Sequence[Triplet]) -> None:
        """A notice where there is a context whose relations the parser does not read."""
        if triplets and not self.parser.context:
            warnings.warn(WITHOUT_CONTEXT, Notice, stacklevel=3)

    def _parse(self, text: str, triplets: tuple[Triplet, ...], weight: float) -> Parse:
        words = self.words(text, triplets)
        if not words:
            return Parse([], 0)
        context = context_of(triplets, hidden(words), next_to=self.parser.next_to)
        heads = self.parser.parse(SceneSentence(tuple(words), triplets, ""), weight)
        items = [tuple(context.items[item] for item in candidates_of(word, context)) for word in hidden(words)]
        return Parse(_tree(words, heads, items), self._known(words))

    def _complete(self, text: str, triplets: tuple[Triplet, ...], weights: Weights) -> FilledGap:
        words = self.words(text, triplets)
        if not triplets:
            return _unfilled(self._parse(text, triplets, 0.0))
        (completion,) = self.parser.complete(SceneSentence(tuple(words), triplets, ""), [weights])
        items = [(item,) if item else () for item in completion.references]
        tree = _tree(words, completion.heads, items)
        return FilledGap(
            completion.filler,
            name_of(completion.filler),
            completion.tag,
            tree,
            completion.candidates,
            self._known(words),
        )

    def _word(self, form: str, before: str, triplets: Sequence[Triplet]) -> Word:
        if form == GAP:
            return Word(GAP, GAP, GAP, GAP, 0, "")
        analysis = self.after.get(f"{before}\t{form}") or self.analyses.get(form) or self.analyses.get(form.lower())
        if analysis is None:
            tag = _tag_of_unseen(form.lower(), triplets)
            return Word(form, form.lower(), coarse_of(tag), tag, 0, "")
        lemma, coarse, tag = analysis
        return Word(form, lemma, coarse, tag, 0, "")

    def _known(self, words: Sequence[Word]) -> int:
        return sum(word.form in self.analyses or word.form.lower() in self.analyses for word in words)


def triplets_of(context: Any) -> tuple[Triplet, ...]:
    """The triplets of a context: a text, a list of texts, or a list of triplets.

    Raises:
        InputError: it is something else, or a triplet is invalid.
    """
    if isinstance(context, str):
        context = _TRIPLET_END.split(context)
    if not isinstance(context, Sequence) or isinstance(context, bytes):
        raise InputError(f"a context is a text of triplets such as {shown(EXAMPLE)}; found {type(context).__name__}")
    parts = [_PUNCTUATION.sub(" ", part).split() if isinstance(part, str) else part for part in context]
    return tuple(_triplet(part) for part in parts if part)


def load(description: Description) -> RawContextParser:
    """The parser of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    analyses, after = values.get("analyses"), values.get("after")
    if not isinstance(analyses, dict) or not isinstance(after, dict):
        raise InputError(f"{path}: expected analyses of words; train the parser again")
    return RawContextParser(ContextParser.from_folder(description.folder), analyses, after)


def _unfilled(parse: Parse) -> FilledGap:
    return FilledGap(None, None, None, parse.words, 0, parse.known_words)


def _triplet(part: Any) -> Triplet:
    if not isinstance(part, Sequence) or len(part) != 3 or not all(isinstance(value, str) for value in part):
        raise InputError(f"expected triplets such as {shown(EXAMPLE)}, found {shown(part)}")
    argument, relation, predicate = (text_of(value, "a context", "name").strip().strip("$") for value in part)
    if not argument or not predicate:
        raise InputError(f"expected triplets such as {shown(EXAMPLE)}, found {shown(part)}")
    named = next((name for name in RELATIONS if name.lower() == relation.lower()), None)
    if named is None:
        raise InputError(
            f"there is no relation {shown(relation)}; there are {', '.join(RELATIONS)}, as in {shown(EXAMPLE)}"
        )
    return Triplet(argument, named, predicate)


def _tag_of_unseen(lemma: str, triplets: Sequence[Triplet]) -> str:
    """VBZ for what somebody does, JJ for a property, a mark itself, else NN."""
    if not any(character.isalnum() for character in lemma):
        return lemma
    for _, relation, predicate in triplets:
        if name_of(predicate) == lemma and relation in ("Agent", "Theme"):
            return "VBZ"
        if predicate == lemma and relation == "Property":
            return "JJ"
    return "NN"


def _tree(words: Sequence[Word], heads: Sequence[int], items: Sequence[tuple[str, ...]]) -> list[TreeWord]:
    return [
        TreeWord(word.form, word.lemma, word.tag, head, word_items)
        for word, head, word_items in zip(words, heads, items, strict=True)
    ]
