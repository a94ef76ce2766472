"""Analogies a : b :: c : ? over a whole vocabulary, by 3CosAdd and 3CosMul.

Questions share their words: the 19,544 of Google have 905. So the cosines of those words with a tile of the vocabulary
are one matrix product, and a question costs three rows of it. A tile is small enough for the processor's cache, and
always the same whatever the caller's block, so that no answer depends on the block.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Metric
from repline.evaluation.word_vectors.embedding import Embedding

Method = Literal["add", "mul"]
TILE = 1024  # rows of the vocabulary in one product
GROUP = 32768  # questions that share their products: at most 3 * GROUP * TILE cosines are in memory
EPSILON = 0.001  # keeps 3CosMul from dividing by zero; the value of Levy & Goldberg


def analogy(
    embedding: Embedding,
    questions: Sequence[Sequence[str]],
    sections: Sequence[str],
    *,
    method: Method = "add",
    vocabulary: int | None = 300_000,
    block: int = 64,
) -> dict[str, Metric]:
    """Accuracy on analogy questions, by section and over all.

    A question with a word outside the vocabulary cannot be answered: "accuracy" leaves it out, "accuracy_penalised"
    counts it as wrong.

    Args:
        questions: [n] of (a, b, c, expected).
        sections: [n], the section of each question.
        method, vocabulary, block: as for `solve`.

    Returns:
        accuracy (None if nothing can be answered), accuracy_penalised, correct, questions, kept (those that can be
        answered), coverage = kept / questions, and sections: {section: the same}.

    Raises:
        ValueError: not one section for each question.
    """
    if len(questions) != len(sections):
        raise ValueError(f"expected one section for each of {len(questions)} questions, found {len(sections)}")
    rows = embedding.rows(word for question in questions for word in question).reshape(-1, 4)  # [n, 4]
    is_asked = np.asarray(((rows >= 0) & (rows < (vocabulary or len(embedding)))).all(axis=1))
    answers = solve(embedding, rows[is_asked, :3], method=method, vocabulary=vocabulary, block=block)[:, 0]
    correct = np.zeros(len(rows), dtype=bool)
    correct[is_asked] = (answers >= 0) & (embedding.forms[answers] == rows[is_asked, 3])
    rows_of = {name: np.array([section == name for section in sections]) for name in dict.fromkeys(sections)}
    by_section = {
        name: _accuracy(correct[section_rows], is_asked[section_rows]) for name, section_rows in rows_of.items()
    }
    return _accuracy(correct, is_asked) | {"sections": by_section}


def solve(
    embedding: Embedding,
    questions: NDArray[np.int64],
    *,
    method: Method = "add",
    vocabulary: int | None = 300_000,
    best: int = 1,
    block: int = 64,
) -> NDArray[np.int64]:
    """The words that answer each question best; of words that answer it equally well, the first of the vocabulary.

        3CosAdd:  argmax_x  cos(x, b) - cos(x, a) + cos(x, c)
        3CosMul:  argmax_x  s(x, b) s(x, c) / (s(x, a) + 0.001),   s = (cos + 1) / 2

    The words of the question are no answers, nor are words that `embedding` takes for the same.

    Args:
        questions: [n, 3] of rows of the embedding (a, b, c), each within the vocabulary.
        vocabulary: only the first N words may be answers; None for all.
        best: how many answers to give.
        block: questions at a time. Memory beyond the embedding does not grow with it nor with the vocabulary, but with
            the question words: about 4 KiB for each word, and for each pair (a, b), of 32,768 questions.

    Returns:
        [n, best] rows, the best first, or as many columns as there are words; -1 where no further word is left.

    Raises:
        ValueError: a row outside the vocabulary, or an unknown method.

    Source: Mikolov, Yih & Zweig 2013; Levy & Goldberg 2014, "Linguistic Regularities in Sparse and Explicit Word
    Representations", equations 3 and 4.
    """
    limit = min(vocabulary or len(embedding), len(embedding))
    questions = np.asarray(questions, dtype=np.int64).reshape(-1, 3)
    if len(questions) and (questions.min() < 0 or questions.max() >= limit):
        raise ValueError(f"expected rows of the first {limit} words, found {questions.min()} to {questions.max()}")
    if method not in ("add", "mul"):
        raise ValueError(f"expected the method add or mul, found {method!r}")
    different, inverse = np.unique(questions, axis=0, return_inverse=True)
    answers = np.empty((len(different), min(best, limit)), dtype=np.int64)
    for start in range(0, len(different), GROUP):
        group = slice(start, start + GROUP)
        answers[group] = _Group(embedding, different[group], limit, answers.shape[1], method, block).solve()
    return answers[inverse.reshape(-1)]


def answer_ranks(
    embedding: Embedding, questions: NDArray[np.int64], *, method: Method = "add", block: int = 256
) -> NDArray[np.int64]:
    """The rank of each expected answer among all words but those of the question: [n], 1 where it is the best.

    Equally good words share the best of their ranks, so an answer is right where its rank is 1, as by `solve` where no
    two words are equally good.

    Args:
        questions: [n, 4] of rows of the embedding (a, b, c, expected), expected none of the others.
        method: as for `solve`.
        block: questions at a time; 4 * block * V bytes of memory.

    Raises:
        ValueError: an unknown method.
    """
    if method not in ("add", "mul"):
        raise ValueError(f"expected the method add or mul, found {method!r}")
    norms = np.asarray(embedding.norms, dtype=np.float32)[:, None]
    units = np.asarray(embedding.matrix, dtype=np.float32)
    units = np.divide(units, norms, out=np.zeros_like(units), where=norms > 0)  # [V, d]
    ranks = np.empty(len(questions), dtype=np.int64)
    for start in range(0, len(questions), block):
        group = np.asarray(questions[start : start + block])
        cosines = [units[group[:, position]] @ units.T for position in range(3)]  # [n, V] each
        if method == "add":
            scores = cosines[1] - cosines[0] + cosines[2]
        else:
            a, b, c = ((cosine + 1) / 2 for cosine in cosines)
            scores = b * c / (a + np.float32(EPSILON))
        rows = np.arange(len(group))
        answers = scores[rows, group[:, 3]].copy()
        for position in range(3):
            scores[rows, group[:, position]] = -np.inf
        ranks[start : start + block] = 1 + (scores > answers[:, None]).sum(1)
    return ranks


class _Group:
    """Questions whose words share one product with each tile of the vocabulary."""

    def __init__(
        self, embedding: Embedding, questions: NDArray, limit: int, best: int, method: Method, block: int
    ) -> None:
        self.embedding, self.limit, self.method, self.block = embedding, limit, method, block
        inputs, inverse = np.unique(questions, return_inverse=True)
        self.inputs = embedding.directions(inputs).astype(np.float32)  # [u, d]
        a, b, self.c = inverse.reshape(-1, 3).T
        pairs, self.pair = np.unique(a * len(inputs) + b, return_inverse=True)
        self.a, self.b = np.divmod(pairs, len(inputs))  # [pairs]
        self.excluded_questions, self.excluded_rows = _excluded(embedding.forms[:limit], questions)
        self.scores = np.full((len(questions), best), -np.inf, dtype=np.float32)
        self.answers = np.full((len(questions), best), -1, dtype=np.int64)

    def solve(self) -> NDArray[np.int64]:
        scores, added = (np.empty((self.block, TILE), dtype=np.float32) for _ in range(2))
        for start in range(0, self.limit, TILE):
            cosines, fixed = self._cosines(start)
            width = cosines.shape[1]
            ends = np.searchsorted(self.excluded_rows, (start, start + width))
            questions, rows = self.excluded_questions[slice(*ends)], self.excluded_rows[slice(*ends)] - start
            order = np.argsort(questions, kind="stable")
            questions, rows = questions[order], rows[order]
            for first in range(0, len(self.pair), self.block):
                here = slice(first, min(first + self.block, len(self.pair)))
                count = here.stop - first
                tile, added_part = scores[:count, :width], added[:count, :width]
                # clip: the fast way of take, the places are all valid
                np.take(fixed, self.pair[here], axis=0, out=tile, mode="clip")
                np.take(cosines, self.c[here], axis=0, out=added_part, mode="clip")
                (np.add if self.method == "add" else np.multiply)(tile, added_part, out=tile)
                inside = slice(*np.searchsorted(questions, (first, here.stop)))
                tile[questions[inside] - first, rows[inside]] = -np.inf
                self._keep_best(here, tile, start)
        return self.answers

    def _cosines(self, start: int) -> tuple[NDArray, NDArray]:
        """Parts of the score for a tile of t words: [u, t] that of c, and [pairs, t] that of a and b together."""
        stop = min(start + TILE, self.limit)
        norms = self.embedding.norms[start:stop, None]
        tile = np.asarray(self.embedding.matrix[start:stop], dtype=np.float32)
        tile = np.divide(tile, norms, out=np.zeros_like(tile), where=norms > 0)
        cosines = self.inputs @ tile.T
        if self.method == "add":
            return cosines, cosines[self.b] - cosines[self.a]
        cosines += 1
        cosines /= 2
        return cosines, cosines[self.b] / (cosines[self.a] + np.float32(EPSILON))

    def _keep_best(self, here: slice, tile: NDArray, start: int) -> None:
        best = self.answers.shape[1]
        if best == 1:
            columns = tile.argmax(axis=1)
            scores = tile[np.arange(len(tile)), columns]
            better = scores > self.scores[here, 0]  # not >=: of equal words the first stays
            self.scores[here, 0][better] = scores[better]
            self.answers[here, 0][better] = columns[better] + start
            return
        rows = np.flatnonzero(tile.max(axis=1) > self.scores[here, -1])
        columns = np.argsort(-tile[rows], axis=1, kind="stable")[:, :best]
        scores = np.concatenate([self.scores[here][rows], np.take_along_axis(tile[rows], columns, axis=1)], axis=1)
        answers = np.concatenate([self.answers[here][rows], columns + start], axis=1)
        order = np.lexsort((answers, -scores), axis=1)[:, :best]
        self.scores[here.start + rows] = np.take_along_axis(scores, order, axis=1)
        self.answers[here.start + rows] = np.take_along_axis(answers, order, axis=1)


def _excluded(forms: NDArray, questions: NDArray) -> tuple[NDArray, NDArray]:
    """Each (question, row that is no answer to it), in the order of the rows."""
    forms_of_questions = forms[questions]  # [n, 3]
    rows = np.flatnonzero(np.isin(forms, forms_of_questions))
    rows = rows[np.argsort(forms[rows], kind="stable")]
    low, high = (np.searchsorted(forms[rows], forms_of_questions.reshape(-1), side=side) for side in ("left", "right"))
    counts = high - low
    which = np.repeat(np.arange(len(counts)), counts)
    excluded_rows = rows[np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts) + low[which]]
    order = np.argsort(excluded_rows, kind="stable")
    return which[order] // 3, excluded_rows[order]


def _accuracy(correct: NDArray, is_asked: NDArray) -> dict[str, Metric]:
    correct_count, answered, question_count = int(correct.sum()), int(is_asked.sum()), len(is_asked)
    return {
        "accuracy": correct_count / answered if answered else None,
        "accuracy_penalised": correct_count / question_count if question_count else 0.0,
        "correct": correct_count,
        "questions": question_count,
        "kept": answered,
        "coverage": answered / question_count if question_count else 0.0,
    }
