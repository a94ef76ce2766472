"""Similarity and analogies of the targets, of composed vectors, and of subword vectors, on the same words.

A method is a matrix over one list of words: those of the space, then the words of the tests that the space lacks. A row
of zeros is a word without a vector.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.evaluation.nested_measures import Arrays, Metric
from repline.evaluation.replication.weighted_draws import (
    draws,
    mean_of_drawn_runs,
    mean_of_draws,
    question_weights,
    spearman_of_draws,
)
from repline.evaluation.word_vectors.analogy import solve
from repline.evaluation.word_vectors.benchmark_files import read_analogies, read_pairs
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.reading.text_files import numbered_lines
from repline.segmentation.morphology.letters import lower_case
from repline.segmentation.morphology.segmentation_files import labels
from repline.systems.morph2vec.settings import Tests

# examples printed in the paper: chains of table 2 and pairs of table 5, analogies of table 9, morphs of table 11
PRINTED_PAIRS = {
    "books_butchers": ("kitaplardan", "kasaplardan"),
    "paper_glass": ("kağıttakiler", "bardaktakiler"),
    "companies_firms": ("şirketlerde", "firmalarda"),
    "winners_losers": ("kazananlardı", "yenilenlerdi"),
    "car_cars": ("araba", "arabalar"),
    "cars_my_cars": ("arabalar", "arabalarım"),
    "my_cars_of_my_cars": ("arabalarım", "arabalarımın"),
}
PRINTED_QUESTIONS = {
    "come_hear": ("geldim", "gelmedim", "duydum", "duymadım"),
    "solve_find": ("çözmüş", "çözmüştü", "bulmuş", "bulmuştu"),
    "open_cover": ("açmak", "açılmak", "örtmek", "örtünmek"),
}
PRINTED_FORMS = ("iyor", "mı", "dı", "mış")
SYNTACTIC = "gram"  # begins the names of the syntactic sections of Google's analogies

Pairs = tuple[list[tuple[str, str]], NDArray]
Questions = list[tuple[str, ...]]


def read_similarity(path: str | Path, language: str) -> Pairs:
    """Pairs in lower case, and their scores [n]."""
    pairs, scores = read_pairs(path)
    return [(lower_case(a, language), lower_case(b, language)) for a, b in pairs], np.array(scores)


def read_questions(path: str | Path, language: str) -> Questions:
    """Analogies in lower case: the syntactic sections of Google's file, or all of a file of four words a line.

    Raises:
        InputError: no such file, or a line without four words.
    """
    first = next((line for _, line in numbered_lines(path) if line.strip()), "")
    if first.startswith(":") or str(path).endswith(".csv"):
        listed, sections = read_analogies(path)
        pairs = zip(listed, sections, strict=True)
        syntactic = [question for question, section in pairs if section.startswith(SYNTACTIC)]
        questions: Questions = list(syntactic or listed)
    else:
        questions = []
        for number, line in numbered_lines(path):
            words = tuple(line.split())
            if words and len(words) != 4:
                raise InputError(f"{path}, line {number}: expected four words, found {shown(line)}")
            questions += [words] if words else []
    return [tuple(lower_case(word, language) for word in question) for question in questions]


def words_of(similarity: Iterable[Pairs], questions: Iterable[Questions]) -> list[str]:
    """The words of some tests, each once."""
    items = [pair for pairs, _ in similarity for pair in pairs] + [question for test in questions for question in test]
    return list(dict.fromkeys(word for item in items for word in item))


def tested_words(tests: Iterable[Tests], language: str, data: str | Path = "data") -> list[str]:
    """The words, and the forms of morphemes, in tests of a language whose files lie in `data`."""
    words: list[str] = []
    for test in tests:
        pairs = [read_similarity(Path(data) / path, language) for path in test.similarity.values()]
        questions = [read_questions(Path(data) / path, language) for path in test.analogies.values()]
        words += words_of(pairs, questions)
        if test.allomorphs:
            words += sorted(set().union(*labels(Path(data) / test.allomorphs).values()))
    return words


def similarity_test(
    words: Sequence[str], methods: Mapping[str, Sequence[NDArray]], pairs: Pairs
) -> tuple[dict[str, Metric], Arrays]:
    """Spearman's correlation of each method, on the pairs that it knows and on those that all know.

    Args:
        words: W of them.
        methods: by name the matrices [W, d] of its runs.

    Returns:
        {method: {spearman, common, kept}} and the replicates of the first two, arrays [R], which draw pairs and runs.
    """
    cosines: dict[str, list[NDArray]] = {}
    is_known: dict[str, NDArray] = {}
    base = Embedding(words, next(iter(methods.values()))[0], ignore_case=False)
    for name, runs in methods.items():
        looked = [pair_cosines(base.with_matrix(matrix), pairs[0]) for matrix in runs]
        cosines[name] = [values for values, _ in looked]
        is_known[name] = np.logical_and.reduce([both_known for _, both_known in looked])
    common = np.logical_and.reduce(list(is_known.values()))
    weights = np.concatenate([np.ones((1, len(pairs[0])), dtype=np.int64), draws(len(pairs[0]))])

    def measure(name: str, items: NDArray) -> NDArray:
        return _of_runs(
            [spearman_of_draws(values[items], pairs[1][items], weights[:, items]) for values in cosines[name]]
        )

    return _split(
        {name: {"spearman": measure(name, is_known[name]), "common": measure(name, common)} for name in methods},
        {name: {"kept": int(items.sum()), "pairs": len(items)} for name, items in is_known.items()},
    )


def analogy_test(
    words: Sequence[str], methods: Mapping[str, Sequence[NDArray]], questions: Questions
) -> tuple[dict[str, Metric], Arrays]:
    """Accuracy of 3CosAdd over all words, on the questions whose words a method knows and on those that all know.

    The replicates draw the runs, and the pairs that questions are made of, see `question_weights`.

    Returns:
        {method: {accuracy, common, kept}} and the replicates of the first two, arrays [R].
    """
    correct: dict[str, list[NDArray]] = {}
    is_known: dict[str, NDArray] = {}
    base = Embedding(words, next(iter(methods.values()))[0], ignore_case=False)
    for name, runs in methods.items():
        outcomes = [_answered(base.with_matrix(matrix), questions) for matrix in runs]
        correct[name] = [answered for answered, _ in outcomes]
        is_known[name] = np.logical_and.reduce([answerable for _, answerable in outcomes])
    common = np.logical_and.reduce(list(is_known.values()))
    weights = question_weights(questions)

    def measure(name: str, items: NDArray) -> NDArray:
        return _of_runs([mean_of_draws(answered[items], weights[:, items]) for answered in correct[name]])

    return _split(
        {name: {"accuracy": measure(name, is_known[name]), "common": measure(name, common)} for name in methods},
        {name: {"kept": int(answerable.sum()), "questions": len(answerable)} for name, answerable in is_known.items()},
    )


def printed_cosines(
    words: Sequence[str], matrix: NDArray, pairs: Mapping[str, tuple[str, str]], questions: Mapping[str, Sequence[str]]
) -> dict[str, float | None]:
    """Cosines of single pairs, and of b - a + c with the expected word of single questions; None for unknown words.

    The three vectors of a question are taken at length one.
    """
    embedding = Embedding(words, matrix, ignore_case=False)
    cosines: dict[str, float | None] = {}
    for name, pair in pairs.items():
        rows = embedding.rows(pair)
        cosines[name] = None if (rows < 0).any() else float(embedding.cosines(rows[:1], rows[1:])[0])
    for name, question in questions.items():
        rows = embedding.rows(question)
        if (rows < 0).any():
            cosines[name] = None
            continue
        a, b, c, expected = embedding.directions(rows)
        sought = b - a + c
        cosines[name] = float(sought @ expected / np.linalg.norm(sought))
    return cosines


def printed_scores(tests: Iterable[Pairs], pairs: Mapping[str, tuple[str, str]]) -> dict[str, float]:
    """How similar people find single pairs, from 0.1 to 1; of those that one of the tests has.

    Args:
        tests: with scores from 0 to 10, for which people gave 1 to 10.
    """
    score_by_pair = {pair: float(score) for listed, scores in tests for pair, score in zip(listed, scores, strict=True)}
    return {name: (1 + 0.9 * score_by_pair[pair]) / 10 for name, pair in pairs.items() if pair in score_by_pair}


def matrix_of(words: Sequence[str], look_up: Callable[[str], NDArray | None], dimensions: int) -> NDArray[np.float32]:
    """The matrix [W, d] of the vectors that `look_up` returns, zeros where it returns None."""
    matrix = np.zeros((len(words), dimensions), dtype=np.float32)
    for row, word in enumerate(words):
        vector = look_up(word)
        if vector is not None:
            matrix[row] = vector
    return matrix


def _answered(embedding: Embedding, questions: Questions) -> tuple[NDArray, NDArray]:
    """Whether each question is answered correctly, and whether it can be answered: [n] each."""
    rows = embedding.rows(word for question in questions for word in question).reshape(-1, 4)
    answerable = np.asarray((rows >= 0).all(1))
    correct = np.zeros(len(rows))
    if answerable.any():
        correct[answerable] = solve(embedding, rows[answerable, :3], vocabulary=None)[:, 0] == rows[answerable, 3]
    return correct, answerable


def _of_runs(values: Sequence[NDArray]) -> NDArray:
    """Values [1 + R] of each run: the mean of the first ones, then the mean over drawn runs in each replicate."""
    runs = np.stack(values)
    return np.concatenate([runs[:, :1].mean(0), mean_of_drawn_runs(runs[:, 1:])])


def _split(
    measured: Mapping[str, Mapping[str, NDArray]], counts: Mapping[str, Mapping[str, int]]
) -> tuple[dict[str, Metric], Arrays]:
    """Split arrays: the first value is the measured number, the others are its replicates."""
    numbers: dict[str, Metric] = {
        name: {key: None if np.isnan(values[0]) else float(values[0]) for key, values in arrays.items()}
        | dict(counts[name])
        for name, arrays in measured.items()
    }
    return numbers, {name: {key: values[1:] for key, values in arrays.items()} for name, arrays in measured.items()}
