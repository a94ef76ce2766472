"""Trained language models of bracket_rnn on raw text, with brackets where the text has them or the parser sets them.

model = repline.load("data/models/bracket_rnn/bracket/seed-0")
model.score("reports ( of an imminent agreement ) circulated"), model.next("reports ( of")
model.brackets("Reports of an imminent agreement circulated.")      # with spaCy: the optional phrases in brackets
"""

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from repline.corpora.language_modeling.word_streams import Spelling
from repline.errors import InputError, shown
from repline.parameters import Values
from repline.pretrained import pretrained
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.optional_constituents import (
    CLOSE,
    OPEN,
    bracket_numbers,
    is_listed,
    optional_spans,
)
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import one_or_all, texts_of
from repline.use.text_scorer import Score
from repline.use.word_language_model import WordLanguageModel

_BRACKET = re.compile(r"[()]")


class BracketedSpelling(CorpusSpelling):
    """The spelling of a corpus in which a round bracket is no mark, but opens or closes an optional phrase.

    A closing bracket that closes nothing, and stands next to a word or a mark (`1)`, `:)`), is a mark and left out.
    """

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text; none ends inside a pair of brackets, as `( at 5 p.m. Monday )` would."""
        parts = super().sentences(text)
        opened: list[int] = []  # the number of the part that each open bracket stands in
        inside: set[int] = set()  # parts that begin inside a pair
        for number, part in enumerate(parts):
            for bracket in _BRACKET.findall(part):
                if bracket == OPEN:
                    opened.append(number)
                elif opened:
                    inside.update(range(opened.pop() + 1, number + 1))
        sentences: list[str] = []
        for number, part in enumerate(parts):
            if number in inside:
                sentences[-1] += f" {part}"
            else:
                sentences.append(part)
        return sentences

    def words(self, sentence: str, vocabulary: Container[str] = ()) -> list[str]:
        """The words and brackets of one sentence."""
        words: list[str] = []
        start = depth = 0
        for match in _BRACKET.finditer(sentence):
            words += super().words(sentence[start : match.start()], vocabulary)
            start = match.end()
            stands_alone = sentence[max(match.start() - 1, 0) : start + 1].strip() == CLOSE
            if match[0] == OPEN or depth or stands_alone:
                words.append(match[0])
                depth += 1 if match[0] == OPEN else -1
        return words + super().words(sentence[start:], vocabulary)


class BracketLanguageModel(WordLanguageModel):
    """A language model that reads brackets around optional phrases.

    The probability of a word is that of any word coming next, times that of this word among all; that of a bracket is
    that of its kind. So `score` is comparable with a model that reads no brackets. `score_given_brackets` takes the
    brackets as given, as the poster does.

    Args:
        constituents: optional, required (relations of the parser), minimum_length and collapse.
        model, words, spelling, single_sentences: as of `WordLanguageModel`.
    """

    def __init__(
        self,
        model: BracketRNN,
        words: Sequence[str],
        spelling: CorpusSpelling,
        single_sentences: bool,
        constituents: Values,
    ):
        super().__init__(model, words, BracketedSpelling(**asdict(spelling)), single_sentences)
        self.constituents = constituents
        self.index |= {OPEN: len(words), CLOSE: len(words) + 1}

    def tokens(self, text: str) -> list[str]:
        """The words and brackets of a text, with `<eos>` after each sentence that is closed.

        Round brackets are those of optional phrases. Where a raw text has its own, `brackets` leaves them out, as
        training does.

        Raises:
            InputError: a `)` between blanks, as `brackets` writes them, closes nothing. One next to a word or a mark,
                as of raw text (`1)`, `:)`), is left out.
        """
        tokens = super().tokens(text)
        depth = 0
        for token in tokens:
            depth = 0 if token == "<eos>" else depth + (token == OPEN) - (token == CLOSE)
            if depth < 0:
                raise InputError(f"a ')' without a '(' before it: {shown(text)}; close what is open")
        return tokens

    def symbols(self) -> list[str]:
        """The words, then the two brackets."""
        return [*self.words, OPEN, CLOSE]

    def log_probabilities(self, hidden: Tensor) -> Tensor:
        """Hidden states [n, d] -> log probabilities of all words and both brackets [n, V + 2]."""
        logits = self.model.decode(hidden)
        kinds = self.model.kinds(hidden, logits)  # [n, 3]
        words = logits[:, : len(self.words)].log_softmax(-1)
        return torch.cat([words + kinds[:, :1], kinds[:, 1:]], 1)

    def score_given_brackets(self, texts: str | Sequence[str], batch: int = 64) -> Any:
        """A `Score` as of `score`, but of the words alone: brackets are read, and cost nothing."""
        conditional = _GivenBrackets(self.model, self.words, self.spelling, self.single_sentences, self.constituents)
        scores = conditional.score(texts_of(texts, "score_given_brackets"), batch)
        return one_or_all(texts, list(map(_words_alone, scores)))

    def brackets(self, texts: str | Sequence[str]) -> Any:
        """A text, or each of a list, with brackets around its optional phrases, ready for `score`.

        The phrases are found as in training, in a parse by spaCy. The round brackets of the text itself are marks, and
        left out.

        Raises:
            InputError: `texts` is neither a text nor a list of texts, or the model was trained on phrases of another
                annotation scheme than spaCy's.
            ModuleNotFoundError: spaCy is not installed; the message says which extra brings it.
        """
        from repline.corpora.annotation import annotated

        raw = texts_of(texts, "brackets")
        if any(":" in relation for relation in self.constituents["optional"]):
            raise InputError(
                "brackets: this model's phrases are of Universal Dependencies, and spaCy's parse is not; give text "
                "that has its brackets"
            )
        lines = [" ".join(map(self._bracketed, sentences)) for sentences in annotated(raw, "en")]
        return one_or_all(texts, lines)

    def _bracketed(self, sentence: Mapping[str, Sequence[Any]]) -> str:
        tokens, constituents = sentence["tokens"], self.constituents
        spelling = Spelling(drop_punctuation=not self.spelling.punctuation)
        is_word = spelling.kept(pa.array(tokens), pa.array(sentence["pos"]))
        optional = np.array(
            [
                is_listed(relation, constituents["optional"]) and not is_listed(relation, constituents["required"])
                for relation in sentence["dep"]
            ]
        )
        spans, _ = optional_spans(
            np.array(sentence["head"]),
            np.array([0, len(tokens)]),
            optional,
            is_word,
            minimum_length=constituents["minimum_length"],
            collapse=constituents["collapse"],
        )
        opening, closing, _ = bracket_numbers(spans, np.array([0, int(is_word.sum())]))
        numbers = iter(zip(opening.tolist(), closing.tolist(), strict=True))
        line: list[str] = []
        for token, counts in zip(tokens, is_word, strict=True):
            before, after = next(numbers) if counts else (0, 0)
            line += [*[OPEN] * before, *_BRACKET.sub(" ", token).split(), *[CLOSE] * after]
        return " ".join(line)


class _GivenBrackets(BracketLanguageModel):
    """A `BracketLanguageModel` to which brackets are known: words share the probability, and a bracket has 1."""

    def log_probabilities(self, hidden: Tensor) -> Tensor:
        words = self.model.decode(hidden)[:, : len(self.words)].log_softmax(-1)
        return torch.cat([words, words.new_zeros(len(words), 2)], 1)


def _words_alone(score: Score) -> Score:
    """A score without the brackets, whose log probabilities are 0."""
    rows = [row for row, token in enumerate(score.tokens) if token not in (OPEN, CLOSE)]
    logs = [score.log_probabilities[row] for row in rows]
    perplexity = math.exp(min(-sum(logs) / len(logs), 700.0)) if logs else math.nan
    return Score(float(sum(logs)), perplexity, [score.tokens[row] for row in rows], logs, score.unknown)


def load(description: Description) -> WordLanguageModel:
    """The model of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    words, single_sentences = values.get("words"), values.get("single_sentences")
    if (
        description.kind not in ("words", "brackets")
        or not isinstance(words, list)
        or not isinstance(single_sentences, bool)
    ):
        raise InputError(f"{path}: expected words, and single_sentences; train the model again")
    spelling = CorpusSpelling.of(values.get("text"), str(path))
    model: AWDLSTM = pretrained(BracketRNN if description.kind == "brackets" else AWDLSTM, description.folder)
    if model.vocabulary != len(words):
        raise InputError(f"{path}: expected {model.vocabulary:,} words, found {len(words):,}; copy the folder again")
    if not isinstance(model, BracketRNN):
        return WordLanguageModel(model, words, spelling, single_sentences)
    constituents = values.get("constituents")
    if not isinstance(constituents, dict):
        raise InputError(f"{path}: expected constituents of relations; train the model again")
    return BracketLanguageModel(model, words, spelling, single_sentences, constituents)
