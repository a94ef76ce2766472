"""Inference with definitions on raw texts: `classify(pairs)`, with definitions of a user's own and without training."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.func import functional_call

from repline.errors import InputError, shown
from repline.lexicons.definitions import read_definitions
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.segmentation import spaced
from repline.systems.definition_nli.model import DICTIONARY, PADDING, DefinitionNLI
from repline.systems.definition_nli.random_vectors import random_vectors
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, is_pair, one_or_all, pairs_of, text_of
from repline.use.stored_vectors import vectors_by_word
from repline.use.text_classifier import Classification

MAX_ALIGNED = 1 << 22  # pairs of words, one of either sentence, in memory at a time
Tokens = list[str]


class DefinitionClassifier:
    """The label of a premise and a hypothesis.

    Args:
        model: with the dictionary that it was trained with.
        dictionary: the tokens of each headword's definitions.
        shares: the share of each label in training [C], the answer to a pair with a side without a known word.
        language: whose rules split texts.
        spread: standard deviation of the vector of a word that has none.
        longest: tokens of a definition at most.
    """

    fields: ClassVar[tuple[str, ...]] = ("premise", "hypothesis")
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        model: DefinitionNLI,
        dictionary: Mapping[str, Sequence[str]],
        shares: Sequence[float],
        language: str = "en",
        spread: float = 0.3,
        longest: int = 64,
    ):
        self.model, self.labels, self.shares = model, model.labels, np.asarray(shares, dtype=np.float64)
        self.spread, self.longest = spread, longest
        self.number = {word: number for number, word in enumerate(model.words, 1)}
        self._segment = spaced.segmenter(language)
        self._row_of: dict[str, int] = {}
        self._matrix: NDArray[np.floating] | None = None
        has_vector = (~model.unknown[1:]).tolist()
        self.known_words = {word for word, has in zip(model.words, has_vector, strict=True) if has}
        self.known_words |= dictionary.keys() & self.number.keys()
        model.define(dictionary)

    def use_vectors(self, folder: str | Path) -> None:
        """Look up words that training did not have in a folder of word vectors from now on.

        Raises:
            InputError: there are no vectors, or they have other dimensions than those of training.
        """
        self._row_of, self._matrix = vectors_by_word(folder, self.model.vectors.shape[1])

    @overload
    def classify(
        self, pairs: tuple[str, str], definitions: Mapping[str, str] | None = None, batch: int = 64
    ) -> Classification: ...
    @overload
    def classify(
        self, pairs: list[tuple[str, str]], definitions: Mapping[str, str] | None = None, batch: int = 64
    ) -> list[Classification]: ...
    def classify(
        self,
        pairs: tuple[str, str] | Sequence[tuple[str, str]],
        definitions: Mapping[str, str] | None = None,
        batch: int = 64,
    ) -> Classification | list[Classification]:
        """The label of a pair of a premise and a hypothesis, or of each of a list of pairs.

        Args:
            pairs: raw texts of any length and any number of pairs.
            definitions: of single words, as raw texts; they replace those that training had for the same words. Words
                that differ in case alone are one word, with all of their definitions.
            batch: pairs that are in memory as numbers at a time.

        Returns:
            `known_words` counts the words with a vector or a definition, of the side that has fewer. With 0 the answer
            does not depend on the pair: it is the share of each label in training.

        Raises:
            InputError: `pairs` is neither a pair of texts nor a list of pairs, or `definitions` does not map words to
                texts.
        """
        new_definitions = self._definitions(definitions)
        answers: list[Classification] = []
        for part in in_batches(pairs_of(pairs, "classify", ("premise", "hypothesis")), batch):
            answers += self._classified(
                [(self.tokens(first), self.tokens(second)) for first, second in part], new_definitions
            )
        return one_or_all(pairs, answers, is_pair)

    def tokens(self, text: str) -> Tokens:
        """The tokens of a raw text as in training: spaCy's rules of the language, in lower case."""
        return [token.lower() for token in self._segment(text)["tokens"]]

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The classification of each row's premise and hypothesis."""
        return [asdict(answer) for answer in self.classify([(row["premise"], row["hypothesis"]) for row in rows])]

    def _definitions(self, definitions: Mapping[str, str] | None) -> dict[str, Tokens]:
        expected = 'definitions map words to texts: {"zebu": "an ox with a hump"}; found'
        if not isinstance(definitions, Mapping | None):
            raise InputError(f"{expected} {shown(definitions)}")
        merged: dict[str, Tokens] = {}
        for word, text in (definitions or {}).items():
            if not isinstance(word, str) or not isinstance(text, str):
                raise InputError(f"{expected} {shown(text)}")
            tokens = [token for token in self.tokens(text_of(text, "classify")) if re.search(r"\w", token)]
            merged.setdefault(text_of(word, "classify").strip().lower(), []).extend(tokens)
        return {word: tokens[: self.longest] for word, tokens in merged.items()}

    def _classified(
        self, pairs: Sequence[tuple[Tokens, Tokens]], new_definitions: Mapping[str, Tokens]
    ) -> list[Classification]:
        known_words = (
            np.array([[self._known_words(side, new_definitions) for side in pair] for pair in pairs])
            .reshape(-1, 2)
            .min(axis=1)
        )
        probabilities = np.tile(self.shares, (len(pairs), 1))
        lengths = {row: max(map(len, pairs[row])) for row in np.flatnonzero(known_words).tolist()}
        for rows in _of_similar_length(lengths):
            premises, hypotheses = zip(*(pairs[row] for row in rows), strict=True)
            probabilities[rows] = self._probabilities([*premises, *hypotheses], new_definitions)
        return [self._answer(values, int(count)) for values, count in zip(probabilities, known_words, strict=True)]

    def _known_words(self, tokens: Tokens, new_definitions: Mapping[str, Tokens]) -> int:
        return sum(
            token in self.known_words or token in self._row_of or bool(new_definitions.get(token)) for token in tokens
        )

    def _probabilities(self, sentences: Sequence[Tokens], new_definitions: Mapping[str, Tokens]) -> NDArray[np.float64]:
        """Probabilities [n, C] of the premises [n], followed by their hypotheses [n]; all sentences have a token."""
        headwords = sorted({token for sentence in sentences for token in sentence} & new_definitions.keys())
        texts = [*sentences, *(new_definitions[word] for word in headwords)]
        new_words = sorted({token for text in texts for token in text} - self.number.keys())
        number = self.number | {word: row for row, word in enumerate(new_words, len(self.number) + 1)}
        numbered = _padded([[number[token] for token in sentence] for sentence in sentences])
        with torch.inference_mode():
            logits = functional_call(
                self.model, self._buffers(new_words, headwords, new_definitions, number), (numbered,)
            )
        return logits.double().softmax(1).numpy()

    def _buffers(
        self,
        new_words: Sequence[str],
        headwords: Sequence[str],
        new_definitions: Mapping[str, Tokens],
        number: Mapping[str, int],
    ) -> dict[str, Tensor]:
        """The model's vectors and definitions with those of some more words."""
        vectors, unknown = self._vectors(new_words)
        entry_of = nn.functional.pad(self.model.entry_of, (0, len(new_words)))
        definitions = self.model.definitions
        if headwords:
            added = _padded([[number[token] for token in new_definitions[word]] for word in headwords])
            for entry, word in enumerate(headwords, len(definitions)):
                entry_of[number[word]] = entry if new_definitions[word] else 0
            width = max(definitions.shape[1], added.shape[1])
            tables = [nn.functional.pad(table, (0, width - table.shape[1])) for table in (definitions, added)]
            definitions = torch.cat(tables)
        return {
            "vectors": torch.cat([self.model.vectors, vectors]),
            "unknown": torch.cat([self.model.unknown, unknown]),
            "entry_of": entry_of,
            "definitions": definitions,
        }

    def _vectors(self, words: Sequence[str]) -> tuple[Tensor, Tensor]:
        vectors = random_vectors(words, self.model.vectors.shape[1], self.spread)
        has_vector = np.array([word in self._row_of for word in words], bool)
        if self._matrix is not None and has_vector.any():
            vectors[has_vector] = self._matrix[[self._row_of[word] for word in words if word in self._row_of]]
        return torch.from_numpy(vectors), torch.from_numpy(~has_vector)

    def _answer(self, probabilities: NDArray[np.float64], known_words: int) -> Classification:
        order = np.argsort(-probabilities, kind="stable")
        by_label = {self.labels[label]: float(probabilities[label]) for label in order}
        label = self.labels[order[0]]
        return Classification(label, by_label[label], by_label, known_words)


def load(description: Description) -> DefinitionClassifier:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, raw_input = description.folder, description.raw_input
    try:
        options = {key: raw_input[key] for key in ("shares", "language", "spread", "longest")}
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    model = pretrained(DefinitionNLI, folder)
    return DefinitionClassifier(model, read_definitions(folder / DICTIONARY, str.split), **options)


def _of_similar_length(lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Group rows of similar length, so that the alignments of a group's sentences have room in memory."""
    group: list[int] = []
    for row in sorted(lengths, key=lengths.__getitem__):
        if group and (len(group) + 1) * lengths[row] ** 2 > MAX_ALIGNED:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    return nn.utils.rnn.pad_sequence([torch.tensor(row, dtype=torch.long) for row in rows], True, PADDING)
