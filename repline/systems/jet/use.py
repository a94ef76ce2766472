"""Entities in raw texts: `disambiguate(texts)` finds the mentions of terms and says which entity each means."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line, shown
from repline.parameters import Json
from repline.reading.text_cleaning import clean_text
from repline.systems.jet.disambiguation import projection_score
from repline.systems.jet.mentions import Mentions, find_mentions, trie_of
from repline.systems.jet.model import CANDIDATES, ENTITIES, OFFSETS, Space, means
from repline.systems.jet.model import load as load_space
from repline.systems.jet.plain_text import plain_tokens
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, text_of, texts_of
from repline.use.word_space import Neighbour, NormalisedWordVectors, WordVectors
from repline.vectors.array_files import mapped_array
from repline.vectors.store import words_and_matrix

KINDS = ("entities", "words")
SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")  # no term goes beyond one


@dataclass(frozen=True)
class Candidate:
    """An entity that a mention may mean.

    Attributes:
        entity: its identifier.
        score: by the words around the mention (eq. 4); larger for a better fit.
        definition: "" where the terminology has none; types: classes of the entity.
    """

    entity: str
    score: float
    definition: str
    types: list[str]


@dataclass(frozen=True)
class Mention:
    """A term in a text, and the entities that it may mean.

    Attributes:
        text: as it is written, at `start` to `end` of the raw text.
        entity: of the best candidate.
        known_words: words around the mention that have a vector. With 0 all scores are 0, and the first candidate of
            the terminology is taken.
        candidates: the best first.
    """

    text: str
    start: int
    end: int
    entity: str
    known_words: int
    candidates: list[Candidate]


class TokenisedTexts(NamedTuple):
    """Tokens of several texts, one text after another.

    Attributes:
        tokens: in lower case [n]. spans: first and last character of each in its text [n].
        texts: offsets of the texts in the tokens [t + 1]. sentences: offsets of the sentences.
    """

    tokens: list[str]
    spans: list[tuple[int, int]]
    texts: NDArray[np.int64]
    sentences: NDArray[np.int64]


class PlainVectors(WordVectors):
    """Vectors of words or terms, which are spelled as JET sees text: letters and digits in lower case."""

    def spelled(self, word: str) -> str:
        return " ".join(tokenise([word]).tokens)


class EntityLinker:
    """Finds and disambiguates the terms of a terminology in raw texts; vectors of entities, words and terms.

    Args:
        space: with entities.
        definitions, types: of each entity [E].
        context: tokens on either side of a mention that decide.

    Attributes:
        entities, words, terms: vectors of each, in one space.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, space: Space, definitions: Sequence[str], types: Sequence[Sequence[str]], context: int):
        if space.entity_vectors is None or space.term_vectors is None:
            raise InputError("the model has no vectors of entities: train it with `entities: true`")
        self.space, self.definitions, self.types, self.context = space, definitions, types, context
        self.entities = NormalisedWordVectors(space.entities, space.entity_vectors, blank="_")
        self.words = PlainVectors(space.words, space.word_vectors)
        self.terms = PlainVectors(space.terms, space.term_vectors)
        flat, sizes = plain_tokens(pa.array(list(space.terms), pa.string()))
        coded = flat.dictionary_encode()
        self._number = {token: number for number, token in enumerate(coded.dictionary.to_pylist())}
        tokens = coded.indices.to_numpy().astype(np.int32)
        self._trie = trie_of(tokens, np.append(0, np.cumsum(sizes)), len(self._number))

    def vector(self, entity: str) -> np.ndarray:
        """The vector of an entity, float32 [d]; InputError where it has none.

        A name that is no entity as it is written is looked up as WikiSRS spells titles: "Apollo 11" as `apollo_11`.
        """
        return self.entities.vector(entity)

    def most_similar(self, entity: str | np.ndarray, n: int = 10) -> list[Neighbour]:
        """The n entities of highest cosine with an entity, itself left out, or with a vector [d]."""
        return self.entities.most_similar(entity, n)

    def meanings(self, term: str) -> list[str]:
        """The entities that a term may mean; none where it is no term."""
        row = int(self.space.rows_of_terms([text_of(term, "meanings", "term")])[0])
        return [] if row < 0 else [self.space.entities[entity] for entity in self.space.meanings(row).tolist()]

    @overload  # a str is a sequence of str, too
    def disambiguate(self, texts: str, overlapping: bool = False, batch: int = 64) -> list[Mention]: ...  # type: ignore[overload-overlap]
    @overload
    def disambiguate(self, texts: Sequence[str], overlapping: bool = False, batch: int = 64) -> list[list[Mention]]: ...
    def disambiguate(
        self, texts: str | Sequence[str], overlapping: bool = False, batch: int = 64
    ) -> list[Mention] | list[list[Mention]]:
        """The mentions of terms in a raw text, or in each of a list of texts, with the entity that each means.

        Args:
            texts: of any length and any number.
            overlapping: all mentions; else from left to right the longest ones, which share no word.
            batch: texts that are in memory as numbers at a time.

        Returns:
            Mentions in the order of their beginnings; none for a text without a term.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        answers: list[list[Mention]] = []
        for part in in_batches(texts_of(texts, "disambiguate", as_written=True), batch):
            answers += self._disambiguated(part, overlapping)
        return one_or_all(texts, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The mentions in each row's text."""
        mentions = self.disambiguate([row["text"] for row in rows])
        return [{"mentions": [asdict(mention) for mention in text_mentions]} for text_mentions in mentions]

    def _disambiguated(self, texts: Sequence[str], overlapping: bool) -> list[list[Mention]]:
        tokenised = tokenise(texts)
        numbers = np.array([self._number.get(token, -1) for token in tokenised.tokens], np.int32)
        mentions = find_mentions(numbers, tokenised.sentences, self._trie)
        order = np.lexsort((-mentions.last, mentions.first))  # by their beginnings, the longest first
        mentions = Mentions(mentions.terms[order], mentions.first[order], mentions.last[order])
        if not overlapping:
            rows = np.array(list(_longest(mentions.first.tolist(), mentions.last.tolist())), np.int64)
            mentions = Mentions(mentions.terms[rows], mentions.first[rows], mentions.last[rows])
        text_of_mention = np.searchsorted(tokenised.texts, mentions.first, "right") - 1
        contexts, context_words = self._contexts(tokenised, mentions, text_of_mention)
        answers: list[list[Mention]] = [[] for _ in texts]
        for row, (term, first, last, text) in enumerate(
            zip(*(column.tolist() for column in (*mentions, text_of_mention)), strict=True)
        ):
            start, end = tokenised.spans[first][0], tokenised.spans[last][1]
            candidates = self._candidates(term, contexts[row])
            mention = Mention(
                texts[text][start:end], start, end, candidates[0].entity, int(context_words[row]), candidates
            )
            answers[text].append(mention)
        return answers

    def _contexts(
        self, tokenised: TokenisedTexts, mentions: Mentions, text_of_mention: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mean vectors of the known words around mentions [m, d], and how many they are [m]."""
        word_rows = [self.space.word_rows.get(token, -1) for token in tokenised.tokens]
        rows: list[int] = []
        sizes: list[int] = []
        for first, last, text in zip(mentions.first, mentions.last, text_of_mention, strict=True):
            begin, end = int(tokenised.texts[text]), int(tokenised.texts[text + 1])
            near = word_rows[max(begin, first - self.context) : first]
            near += word_rows[last + 1 : min(end, last + 1 + self.context)]
            rows_near = [row for row in near if row >= 0]
            rows += rows_near
            sizes.append(len(rows_near))
        owner = np.repeat(np.arange(len(sizes)), sizes)
        vectors, _ = means(self.space.word_vectors, np.array(rows, np.int64), owner, len(sizes))
        return vectors, np.array(sizes, np.int64)

    def _candidates(self, term: int, context: NDArray[np.float64]) -> list[Candidate]:
        rows = self.space.meanings(term)
        scores = projection_score(context, self.entities.matrix[rows])
        order = np.argsort(-scores, kind="stable")  # of equal ones the first
        return [
            Candidate(self.space.entities[row], float(score), self.definitions[row], list(self.types[row]))
            for row, score in zip(rows[order].tolist(), scores[order].tolist(), strict=True)
        ]


def tokenise(texts: Sequence[str]) -> TokenisedTexts:
    """Runs of letters, their marks and digits, in lower case as in training, with where they stand in the raw text."""
    runs: list[str] = []
    spans: list[tuple[int, int]] = []
    offsets, sentences = [0], [0]
    for text in texts:
        before, cleaned = 0, clean_text(text)
        positions = None if cleaned == text else _places(cleaned, text)
        for start, end in _runs(cleaned):
            if len(runs) > sentences[-1] and SENTENCE_END.search(cleaned, before, start):
                sentences.append(len(runs))
            runs.append(cleaned[start:end])
            spans.append(_around(positions[start:end]) if positions else (start, end))
            before = end
        offsets.append(len(runs))
        if len(runs) > sentences[-1]:
            sentences.append(len(runs))
    tokens = pc.utf8_lower(pa.array(runs, pa.string())).to_pylist()
    return TokenisedTexts(tokens, spans, np.array(offsets, np.int64), np.array(sentences, np.int64))


def load(description: Description) -> EntityLinker | PlainVectors:
    """The model of a folder that `training.train` wrote: a linker, or word vectors where no entities were trained.

    Raises:
        InputError: a file is missing or damaged.
    """
    folder, raw_input = description.folder, description.raw_input
    if description.kind not in KINDS:
        raise InputError(
            f"{folder}: expected a model of the kind {' or '.join(KINDS)}, found {shown(description.kind)}"
        )
    if description.kind == "words":
        return PlainVectors(*words_and_matrix(folder / "words"))
    if "context" not in raw_input:
        raise InputError(f"{folder / RAW_INPUT}: 'context' is missing; copy the folder again")
    offsets, rows = _array(folder / OFFSETS), _array(folder / CANDIDATES)
    try:
        entities = pq.read_table(folder / ENTITIES, columns=["definition", "types"])
        definitions, types = (entities[name].to_pylist() for name in ("definition", "types"))
    except (OSError, KeyError, pa.ArrowException) as error:
        raise InputError(
            f"{folder / ENTITIES}: it cannot be read ({in_one_line(error)}); copy the folder again"
        ) from None
    space = load_space(folder, (offsets, rows))
    return EntityLinker(space, definitions, types, raw_input["context"])


def _array(path: Path) -> NDArray:
    try:
        return mapped_array(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; copy the folder again") from None


def _places(cleaned: str, text: str) -> list[tuple[int, int]]:
    """From where to where each character of a cleaned text stands in the text.

    The text has more characters between them, and may have two for a letter and its mark.
    """
    spans = [(len(text), 0)] * len(cleaned)
    parts = iter(_decomposed(text))
    for part, row in _decomposed(cleaned):
        position = next(position for other, position in parts if other == part)
        spans[row] = (min(spans[row][0], position), max(spans[row][1], position + 1))
    return spans


def _around(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(start for start, _ in spans), max(end for _, end in spans)


def _decomposed(text: str) -> list[tuple[str, int]]:
    """Letters and marks in Unicode's canonical order, each with the position of the character that it is of."""
    parts: list[tuple[str, int]] = []
    for position, character in enumerate(text):
        for part in unicodedata.normalize("NFD", clean_text(character)):  # joiners, too, are no part of words here
            parts.append((part, position))
            last = len(parts) - 1
            while last and 0 < unicodedata.combining(part) < unicodedata.combining(parts[last - 1][0]):
                parts[last - 1], parts[last] = parts[last], parts[last - 1]
                last -= 1
    return parts


def _runs(text: str) -> Iterator[tuple[int, int]]:
    start = None
    for position, character in enumerate(text):
        inside = unicodedata.category(character)[0] in "LMN"
        if inside and start is None:
            start = position
        elif not inside and start is not None:
            yield start, position
            start = None
    if start is not None:
        yield start, len(text)


def _longest(first: Sequence[int], last: Sequence[int]) -> Iterator[int]:
    """Rows of mentions, sorted by their beginnings and the longest first, that share no token with an earlier one."""
    free = 0
    for row, (begin, end) in enumerate(zip(first, last, strict=True)):
        if begin >= free:
            yield row
            free = end + 1
