"""Trained models of rrnet on raw input: values of expressions, relations of formulas, and a language model.

    model = repline.load("data/models/rrnet/expressions-supervised/seed-0/after-20")
    model.value("((9+2)+(1+3))")                       # the value, and the tree that was built while reading

    model = repline.load("data/models/rrnet/relations-supervised/seed-0/after-3")
    model.relation(("a", "( a ( or b ) )"))            # the relation that it predicts, and `exact`, that which holds

A tree is written with square brackets: `[` where the network splits, `]` where it merges, around the symbols that it
reads. An encoder without a stack builds none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from repline.errors import InputError, shown
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.rrnet import math_expressions
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.model import RRNet
from repline.systems.rrnet.propositional_logic import MEANINGS, RELATIONS, WORDS, exact_relation, words_of
from repline.systems.rrnet.schedule import MERGE, SPLIT
from repline.systems.rrnet.tasks import ExpressionEvaluator, RelationClassifier
from repline.use.corpus_spelling import END, CorpusSpelling
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import by_length, in_batches, is_pair, one_or_all, pairs_of, text_of, texts_of
from repline.use.word_language_model import END_ID, WordLanguageModel

EXAMPLE = "((9+(2+6))+(1*3))"
ROOM = 1 << 16  # symbols of a batch


@dataclass(frozen=True)
class Value:
    """The value that a model predicts for an expression.

    Attributes:
        value: of two digits; None for a text without a symbol of expressions.
        exact: the value by arithmetic; None where a divisor is zero, or the expression is too long for it.
        tree: that was built while reading; None for an encoder without a stack.
        known_symbols: digits, operators and brackets of the text.
    """

    value: int | None
    exact: int | None
    tree: str | None
    known_symbols: int


@dataclass(frozen=True)
class Relation:
    """The relation that a model predicts for two formulas.

    Attributes:
        relation: the most probable one: = < > ^ | v #.
        meaning: of that sign: equal, entails, is entailed, contradictory, exclusive, exhaustive, independent.
        probability: of it.
        probabilities: of all relations, the most probable one first.
        exact: the relation that holds; None where a formula is always true or never.
        trees: that were built while reading the left and the right formula; None for an encoder without a stack.
        known_words: words of both formulas that the model knows. With 0 the answer is the share of each relation in
            training.
    """

    relation: str
    meaning: str
    probability: float
    probabilities: dict[str, float]
    exact: str | None
    trees: tuple[str | None, str | None]
    known_words: int


class ExpressionModel:
    """Reads off the values of fully bracketed expressions over digits and `+ - * %`."""

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: ExpressionEvaluator):
        self.model, self.choices = model, _choices(model.encoder.layer)
        self.index = {symbol: number for number, symbol in enumerate(math_expressions.ALPHABET)}

    def value(self, expressions: str | Sequence[str], batch: int = 64) -> Any:
        """The value of an expression, or of each of a list of them: a `Value`.

        Args:
            expressions: of any number; white space does not count.
            batch: expressions that are in memory as numbers at a time.

        Raises:
            InputError: it is neither a text nor a list of texts, or an expression is not fully bracketed.
        """
        answers: list[Value] = []
        for part in in_batches(texts_of(expressions, "value"), batch):
            answers += self._values(["".join(text.split()) for text in part])
        return one_or_all(expressions, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The value of each row's expression."""
        return [asdict(answer) for answer in self.value([row["text"] for row in rows])]

    def _values(self, texts: Sequence[str]) -> list[Value]:
        known_symbols = [sum(symbol in self.index for symbol in text) for text in texts]
        answers = [Value(None, None, None, 0) for _ in texts]
        read = [row for row, count in enumerate(known_symbols) if count]
        exact = {row: _exact_value(texts[row]) for row in read}
        for numbers in by_length([len(texts[row]) for row in read], ROOM):
            rows = [read[number] for number in numbers]
            ids = _padded([[self.index[symbol] for symbol in texts[row]] for row in rows])
            values, encoding = self.model.predict(ids, torch.tensor([len(texts[row]) for row in rows]))
            for position, row in enumerate(rows):
                tree = _tree(texts[row], encoding.operations, position, self.choices)
                answers[row] = Value(int(values[position]), exact[row], tree, known_symbols[row])
        return answers


class RelationModel:
    """Says which of seven relations holds between two formulas of propositional logic."""

    fields: ClassVar[tuple[str, ...]] = ("left", "right")
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: RelationClassifier, shares: Sequence[float]):
        self.model, self.shares = model, np.asarray(shares, dtype=np.float64)
        self.choices = _choices(model.encoder.layer)
        self.index = {word: number for number, word in enumerate(WORDS)}

    def relation(self, pairs: Any, batch: int = 64) -> Any:
        """The relation of a pair of formulas, or of each of a list of pairs: a `Relation`.

        Args:
            pairs: of formulas as text, `("a", "( a ( or b ) )")`.
            batch: pairs that are in memory as numbers at a time.

        Raises:
            InputError: it is neither a pair of texts nor a list of pairs, or a text is no formula.
        """
        answers: list[Relation] = []
        for part in in_batches(pairs_of(pairs, "relation", ("a", "( not a )")), batch):
            answers += self._relations([(words_of(left), words_of(right)) for left, right in part])
        return one_or_all(pairs, answers, is_pair)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The relation of each row's formulas."""
        return [asdict(answer) for answer in self.relation([(row["left"], row["right"]) for row in rows])]

    def _relations(self, pairs: Sequence[tuple[list[str], list[str]]]) -> list[Relation]:
        known_words = [sum(word in self.index for side in pair for word in side) for pair in pairs]
        answers = [self._answer(self.shares, None, (None, None), 0) for _ in pairs]
        # a side that is empty, or has no known word, makes the pair unknown
        read = [row for row, pair in enumerate(pairs) if all(any(word in self.index for word in side) for side in pair)]
        exact = {row: exact_relation(*pairs[row]) for row in read}
        longest = [max(map(len, pairs[row])) for row in read]
        for numbers in by_length(longest, ROOM):
            rows = [read[number] for number in numbers]
            sides = [[self.index[word] for word in side] for row in rows for side in pairs[row]]
            lengths = torch.tensor([len(side) for side in sides]).view(-1, 2)
            with torch.inference_mode():
                scores, encoding = self.model(_padded(sides).view(len(rows), 2, -1), lengths)
            for position, (row, chances) in enumerate(zip(rows, scores.double().softmax(-1).numpy(), strict=True)):
                left, right = (
                    _tree(pairs[row][side], encoding.operations, 2 * position + side, self.choices) for side in (0, 1)
                )
                answers[row] = self._answer(chances, exact[row], (left, right), known_words[row])
        return answers

    def _answer(
        self, chances: np.ndarray, exact: str | None, trees: tuple[str | None, str | None], known_words: int
    ) -> Relation:
        order = np.argsort(-chances, kind="stable")
        by_relation = {self.model.relations[number]: float(chances[number]) for number in order}
        best = self.model.relations[order[0]]
        return Relation(best, MEANINGS[best], by_relation[best], by_relation, exact, trees, known_words)


class StackLanguageModel(WordLanguageModel):
    """A language model of words that may build a tree while it reads."""

    def tree(self, text: str) -> str | None:
        """The tree over `<eos>` and the words of a text, the most probable operations; None for an LSTM.

        Raises:
            InputError: `text` is no text.
        """
        tokens = self.tokens(text_of(text, "tree"))
        if self.model.kind == "lstm":
            return None
        self.model.operations = None
        with torch.inference_mode():
            self.model(torch.tensor([[END_ID, *self.numbers(tokens)]]), self.model.initial_state(1))
        operations = self.model.operations
        if operations is None:  # it only recurs
            return " ".join([END, *tokens])
        return _tree([END, *tokens], operations, 0, _choices(self.model.layer))


def load(description: Description) -> ExpressionModel | RelationModel | StackLanguageModel:
    """The model of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    if description.kind == "expressions":
        return ExpressionModel(pretrained(ExpressionEvaluator, description.folder))
    if description.kind == "relations":
        shares = values.get("shares")
        if not isinstance(shares, list) or len(shares) != len(RELATIONS):
            raise InputError(f"{path}: expected shares of {len(RELATIONS)} relations; copy the folder again")
        return RelationModel(pretrained(RelationClassifier, description.folder), shares)
    if description.kind != "language_model":
        raise InputError(f"{path}: there is no kind {shown(description.kind)}; train the model again")
    model = pretrained(RRNetLanguageModel, description.folder)
    spelling = CorpusSpelling.of(values.get("text"), str(path))
    return StackLanguageModel(model, model.words, spelling, single_sentences=False)


def _exact_value(text: str) -> int | None:
    """The value of an expression; InputError that shows the right form where it is none."""
    try:
        return math_expressions.value(text)
    except InputError:
        raise InputError(f"expected a fully bracketed expression such as {EXAMPLE}, found {shown(text)}") from None


def _tree(symbols: Sequence[str], operations: Tensor | None, row: int, choices: int) -> str | None:
    """Symbols with [ and ] where a row of operations [B, K] splits and merges.

    Args:
        choices: operations before the one that consumes a symbol; 0 where one operation reads a symbol.
    """
    if operations is None:
        return None
    steps = iter(operations[row].tolist())
    written: list[str] = []
    for symbol in symbols:
        for _ in range(choices):
            operation = next(steps)
            written += ["["] * (operation == SPLIT) + ["]"] * (operation == MERGE)
        operation = next(steps)
        written.append("[" * (operation == SPLIT) + symbol + "]" * (operation == MERGE))
    return " ".join(written)


def _choices(layer: Any) -> int:
    """How many operations a layer may put before it consumes a symbol."""
    return layer.most if isinstance(layer, RRNet) else 0


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of numbers as [B, T], padded on the right with 0."""
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
