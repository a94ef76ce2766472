"""word2vec on several threads: the bytes are one thread's, and a batch adds the rate times the gradient."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.vectors.parallel_word2vec import training
from repline.vectors.parallel_word2vec.barrier import wait_for_others
from repline.vectors.parallel_word2vec.drawn_windows import PIECE, draw_windows, pieces
from repline.vectors.parallel_word2vec.training import MAX_BATCH, MAX_CHANGES, MAX_STEP, train, windows_in_batch
from repline.vectors.parallel_word2vec.window_updates import UNUSED, Changes, add, compute, train_windows
from repline.vectors.recipes import Word2Vec
from repline.vectors.tokens import Tokens
from tests.vectors.toy_corpus import write

ARCHITECTURES = ["skip-gram", "cbow"]
D, NEGATIVE = 6, 3


def logistic(x):
    return 1 / (1 + np.exp(-x))


def objective(inputs, outputs, windows, targets, is_cbow):
    """The objective of some windows (center, context), each with its drawn words."""
    total = 0.0
    for (_, context), words in zip(windows, targets, strict=True):
        vectors = inputs[context].mean(0, keepdims=True) if is_cbow else inputs[context]
        for vector in vectors:
            total += np.log(logistic(vector @ outputs[words[0]]))
            total += sum(np.log(logistic(-vector @ outputs[word])) for word in words[1:] if word != UNUSED)
    return total


def numerical_gradient(function, matrix, step=1e-5):
    gradient = np.zeros_like(matrix)
    for index in np.ndindex(*matrix.shape):
        matrix[index] += step
        above = function()
        matrix[index] -= 2 * step
        below = function()
        matrix[index] += step
        gradient[index] = (above - below) / (2 * step)
    return gradient


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_batch_adds_the_rate_times_the_gradient_of_the_objective(architecture):
    is_cbow = architecture == "cbow"
    rng = np.random.default_rng(0)
    inputs, outputs = rng.normal(size=(2, 9, D)).astype(np.float32)
    tokens = np.array([3, 1, 4, 1, 5, 8, 2], np.int32)
    low, high = np.array([0, 0, 0, 2, 2, 4, 5], np.int32), np.array([2, 3, 4, 5, 6, 7, 7], np.int32)
    windows = [
        (center, [tokens[n] for n in range(low[center], high[center]) if n != center]) for center in range(len(tokens))
    ]
    changes = Changes.of_windows(len(tokens), Word2Vec(dimensions=D, negative=NEGATIVE))
    work_space = (changes.targets, changes.factors, changes.to_outputs, changes.to_inputs)
    table = (np.ones(9, np.float32), np.arange(9, dtype=np.int32))
    before = inputs.astype(np.float64), outputs.astype(np.float64)
    rate, key = np.float32(0.1), np.uint64(77)
    compute(tokens, low, high, 0, 7, 0, inputs, outputs, *table, key, rate, is_cbow, *work_space)
    owners = np.arange(9, dtype=np.int32) % 2
    for thread in range(2):
        add(tokens, low, high, 0, 7, owners, thread, inputs, outputs, is_cbow, *work_space)
    assert (changes.targets[:, 0] == tokens).all()
    assert (changes.targets[:, 1:] != tokens[:, None]).all()

    def value():
        return objective(*before, windows, changes.targets, is_cbow)

    to_outputs = numerical_gradient(value, before[1])
    np.testing.assert_allclose(outputs - before[1], 0.1 * to_outputs, atol=1e-5)
    if is_cbow:  # as in word2vec, each word of the context takes the whole gradient of the mean
        expected = np.zeros_like(before[0])
        for (_, context), words in zip(windows, changes.targets, strict=True):
            h = before[0][context].mean(0)
            signs = [1, *[-1] * NEGATIVE]
            to_h = sum(
                sign * logistic(-sign * h @ before[1][word]) * before[1][word]
                for sign, word in zip(signs, words, strict=True)
                if word != UNUSED
            )
            for word in context:
                expected[word] += to_h
    else:
        expected = numerical_gradient(value, before[0])
    np.testing.assert_allclose(inputs - before[0], 0.1 * expected, atol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_any_number_of_threads_trains_the_same_vectors(tmp_path, architecture):
    tokens = Tokens(write(tmp_path / "corpus"))
    words, counts = tokens.vocabulary()
    recipe = Word2Vec(architecture=architecture, dimensions=10, epochs=2, minimum_count=1)
    vectors = [train(tokens, words, counts, recipe, threads) for threads in (1, 2, 3, 5)]
    for of_several_threads in vectors[1:]:
        assert of_several_threads.tobytes() == vectors[0].tobytes()
    again = recipe.model_copy(update={"seed": 1})
    assert (train(tokens, words, counts, again, 2) != vectors[0]).any()


@pytest.mark.parametrize(("architecture", "changes"), [("skip-gram", 16 * (1 + 15)), ("cbow", 16 + 1 + 15)])
def test_wide_windows_and_negative_words_make_batches_short(architecture, changes):
    """With 15 words on either side and 15 negative ones, a window of skip-gram changes 16 outputs 16 times."""
    recipe = Word2Vec(architecture=architecture, window=15, negative=15, learning_rate=0.025)
    assert windows_in_batch(np.ones(100_000), recipe) == int(MAX_CHANGES / (0.025 * changes))
    half = np.array([1.0] * 1000 + [1000.0])  # of all words are one
    assert windows_in_batch(half, recipe) == int(MAX_STEP / (0.025 * 16 / 2))
    narrow = recipe.model_copy(update={"window": 1, "negative": 1})
    assert windows_in_batch(np.ones(100_000), narrow) == MAX_BATCH


def test_wide_windows_and_many_negative_words_are_learnt(tmp_path):
    """Each word's nearest neighbour is of its topic. Batches of a hundred windows diverge here."""
    rng = np.random.default_rng(0)
    topics = rng.integers(0, 20, (1500, 1))
    drawn = np.where(rng.random((1500, 20)) < 0.5, rng.integers(0, 400, (1500, 20)), -1)
    rows = np.where(drawn < 0, 20 * topics + rng.integers(0, 20, (1500, 20)), drawn)
    pq.write_table(pa.table({"tokens": rows.astype(str).tolist()}), tmp_path / "part-00000.parquet")
    tokens = Tokens(tmp_path)
    words, counts = tokens.vocabulary()
    recipe = Word2Vec(dimensions=20, window=15, negative=15, minimum_count=1, sample=0.0, learning_rate=0.05)
    vectors = train(tokens, words, counts, recipe, 1)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T - 2 * np.eye(len(words))
    topic_of = np.array([int(word) // 20 for word in words])
    assert (topic_of[cosines.argmax(1)] == topic_of).mean() > 0.98


def test_one_thread_works_alone_where_others_have_the_processors(tmp_path, monkeypatch):
    """The share of the processors is made up: too small at the first piece that all threads train."""
    tokens = Tokens(write(tmp_path / "corpus"))
    words, counts = tokens.vocabulary()
    recipe = Word2Vec(dimensions=10, epochs=4, minimum_count=1)
    quiet = train(tokens, words, counts, recipe, 2)
    working, seconds, processor_seconds = [], count(), chain([0, 0], count(step=100))

    def recorded(*arguments):
        if arguments[10] == 0:  # thread
            working.append(arguments[11])
        train_windows(*arguments)

    clock = SimpleNamespace(perf_counter=lambda: next(seconds), process_time=lambda: next(processor_seconds))
    monkeypatch.setattr(training, "train_windows", recorded)
    monkeypatch.setattr(training, "time", clock)
    monkeypatch.setattr(training, "ALONE", 2)
    busy = train(tokens, words, counts, recipe, 2)
    assert busy.tobytes() == quiet.tobytes()
    assert working[:4] == [2, 1, 1, 2]


def test_threads_wait_for_each_other():
    threads, rounds = 4, 300
    arrivals, written = np.zeros(1, np.int64), np.zeros((rounds, threads), np.int64)
    complete = []

    def work(thread):
        for number in range(rounds):
            written[number, thread] = 1
            wait_for_others(arrivals, threads)
            complete.append(written[number].all())

    with ThreadPoolExecutor(threads) as pool:
        for task in [pool.submit(work, thread) for thread in range(threads)]:
            task.result(timeout=60)
    assert len(complete) == threads * rounds and all(complete)


def test_windows_stay_in_their_row_and_skip_unknown_words():
    numbers = np.array([0, 1, -1, 2, 3, 4, -1, 5], np.int32)
    keep = np.ones(6, np.float32)
    tokens, low, high, read = draw_windows(numbers, np.array([4, 0, 4]), keep, 1, 100, np.array([9], np.uint64))
    assert tokens.tolist() == [0, 1, 2, 3, 4, 5]
    assert low.tolist() == [0, 0, 1, 3, 3, 4]
    assert high.tolist() == [2, 3, 3, 5, 6, 6]
    assert read.tolist() == [100, 101, 102, 103, 104, 105]


def test_frequent_words_are_left_out_as_often_as_asked():
    numbers = np.zeros(20_000, np.int32)
    keep = np.array([0.25], np.float32)
    tokens, _, _, read = draw_windows(numbers, np.array([20_000]), keep, 2, 0, np.array([5], np.uint64))
    assert len(tokens) == pytest.approx(5000, abs=250)  # four standard deviations
    assert len(read) == len(tokens)


def test_pieces_do_not_depend_on_how_the_rows_arrive():
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 400, size=2000)
    lengths[7] = 3 * PIECE
    numbers = np.arange(lengths.sum(), dtype=np.int32)
    ends = np.cumsum(lengths)

    def arriving(rows):
        for start in range(0, len(lengths), rows):
            cut = lengths[start : start + rows]
            first = ends[start] - lengths[start]
            yield numbers[first : first + cut.sum()], cut

    whole = list(pieces(arriving(2000)))
    for rows in (1, 13, 700):
        cut = list(pieces(arriving(rows)))
        assert [piece[0].tolist() for piece in cut] == [piece[0].tolist() for piece in whole]
    assert np.concatenate([piece[1] for piece in whole]).tolist() == lengths.tolist()
    assert all(len(piece[0]) >= PIECE for piece in whole[:-1])


def test_a_learning_rate_that_is_too_high_is_said(tmp_path):
    pq.write_table(pa.table({"tokens": [["a", "b", "c"]] * 400}), tmp_path / "part-00000.parquet")
    tokens = Tokens(tmp_path)
    words, counts = tokens.vocabulary()
    with pytest.raises(FloatingPointError, match="lower learning_rate"):
        recipe = Word2Vec(dimensions=4, learning_rate=1e38, sample=0.0, epochs=1)
        train(tokens, words, counts, recipe, 2)
