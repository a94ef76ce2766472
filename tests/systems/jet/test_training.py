"""Gradients compared with autograd and values by hand, the loop with plain skip-gram, and what training learns."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from repline.systems.jet import updates
from repline.systems.jet.mentions import Mentions
from repline.systems.jet.settings import Training
from repline.systems.jet.training import candidates_of, fit
from repline.vectors import negative_sampling
from repline.vectors.negative_sampling import alias_table
from tests.systems.jet.made_corpus import made, topics


def group(vectors, contexts, targets, weights, rows, positives, rate=1.0):
    """Objective, changes of targets, and deltas of rows of one group."""
    targets, rows = np.array(targets, np.int64), np.array(rows, np.int64)
    d = vectors.shape[1]
    changes, deltas = np.empty((len(targets), d), np.float32), np.empty((len(rows), d), np.float32)
    tables = vectors.astype(np.float32), contexts.astype(np.float32)
    weights, rate = np.array(weights, np.float32), np.float32(rate)
    total = updates.add_group(*tables, targets, weights, rows, positives, rate, changes, deltas, True)
    return total, changes, deltas


def test_the_example_by_hand():
    vectors, contexts = np.array([[1.0, 0.0]]), np.array([[0.5, 0.5], [-1.0, 2.0]])
    total, changes, deltas = group(vectors, contexts, [0], [1], [0, 1], 1)
    assert total == pytest.approx(-0.78734, abs=1e-5)
    assert changes[0] == pytest.approx([0.457712, -0.349113], abs=1e-6)
    half = 1 - 1 / (1 + np.exp(-0.5))
    assert deltas[0] == pytest.approx([half, 0], abs=1e-6)


def test_gradients_are_those_of_autograd():
    rng = np.random.default_rng(1)
    vectors, contexts = rng.normal(size=(4, 6)), rng.normal(size=(5, 6))
    weights, rows = [1, 0.5, 0.5], [0, 1, 2, 3, 4]
    _, changes, deltas = group(vectors, contexts, [0, 2, 3], weights, rows, 2)
    table, context_table = (torch.tensor(array, requires_grad=True) for array in (vectors, contexts))
    signs = torch.tensor([1.0, 1, -1, -1, -1])
    values = torch.nn.functional.logsigmoid(signs * (table[[0, 2, 3]] @ context_table.T))
    (torch.tensor(weights)[:, None] * values).sum().backward()
    np.testing.assert_allclose(changes, table.grad[[0, 2, 3]], atol=1e-6)
    np.testing.assert_allclose(deltas, context_table.grad, atol=1e-6)


def test_a_lone_entity_moves_as_its_term():
    rng = np.random.default_rng(2)
    vectors = np.repeat(rng.normal(size=(1, 4)), 2, axis=0)
    _, changes, _ = group(vectors, rng.normal(size=(3, 4)), [0, 1], [1, 1], [0, 1, 2], 1)
    np.testing.assert_array_equal(changes[0], changes[1])


def test_four_entities_move_by_a_quarter_each():
    rng = np.random.default_rng(3)
    vectors, contexts, rows = rng.normal(size=(5, 4)), rng.normal(size=(3, 4)), [0, 1, 2]
    _, changes, deltas = group(vectors, contexts, range(5), [1, 0.25, 0.25, 0.25, 0.25], rows, 1)
    alone = [group(vectors, contexts, [target], [1], rows, 1) for target in range(5)]
    for target in range(1, 5):
        np.testing.assert_allclose(changes[target], alone[target][1][0] / 4, rtol=1e-5)
    np.testing.assert_allclose(deltas, alone[0][2] + np.mean([target[2] for target in alone[1:]], axis=0), atol=1e-6)


def test_contexts_of_overlapping_terms():
    sentence = np.arange(5)  # in new york city today
    rows = np.empty(8, np.int64)

    def around(first, last):
        return rows[: updates.fill_contexts(sentence, first, last, 2, rows, 0)].tolist()

    assert around(1, 2) == [0, 3, 4]
    assert around(1, 3) == [0, 4]
    sentence[3] = -1  # a hole keeps its place
    assert around(1, 2) == [0, 4]
    assert around(0, 0) == [1, 2]


def skip_gram(text, window, negative, rate, passes, seed, d):
    """Plain skip-gram, target by target, with the same draws; words alone."""
    rng = np.random.default_rng(seed)
    size = len(text.vocabulary)
    vectors, contexts = (((rng.random((size, d), dtype=np.float32) - 0.5) / d).astype(np.float64) for _ in range(2))
    state = rng.integers(1, 1 << 63, size=(1, 1), dtype=np.uint64)[0]
    table = alias_table(text.vocabulary["count"].to_numpy() ** 0.75)
    seen, every = 0, passes * len(text.words)
    for _ in range(passes):
        for start, end in zip(text.sentences[:-1], text.sentences[1:], strict=True):
            now = rate * max(1 - seen / (every + 1), 1e-4)
            seen += end - start
            for center in range(start, end):
                reach = window - negative_sampling.below(state, window)
                around = [p for p in range(max(start, center - reach), min(end, center + reach + 1)) if p != center]
                positives = [text.words[position] for position in around]
                drawn = [[negative_sampling.drawn_word(state, *table) for _ in range(negative)] for _ in positives]
                pairs = [(word, 1) for word in positives]
                pairs += [(n, 0) for word, some in zip(positives, drawn, strict=True) for n in some if n != word]
                target = text.words[center]
                errors = [(c, label - 1 / (1 + np.exp(-contexts[c] @ vectors[target]))) for c, label in pairs]
                change = sum(error * contexts[c] for c, error in errors)
                for c, error in errors:
                    contexts[c] += now * error * vectors[target]
                vectors[target] += now * change
    return vectors, contexts


def test_words_alone_are_plain_skip_gram(tmp_path):
    text = made(tmp_path)
    knobs = {"window": 2, "negative": 3, "passes": 2}
    recipe = Training(dimensions=6, learning_rate=0.5, sample=0, terms=False, entities=False, **knobs)
    trained = fit(text, recipe, seed=5)
    words, contexts = skip_gram(text, d=6, rate=0.5, seed=5, **knobs)
    np.testing.assert_allclose(trained.words, words, atol=1e-5)
    np.testing.assert_allclose(trained.contexts, contexts, atol=1e-5)
    assert len(trained.terms) == len(trained.entities) == 0


def test_words_alone_are_the_same_where_no_term_is_mentioned(tmp_path):
    """The loop without mentions and the switch are one thing."""
    text = made(tmp_path)
    silent = text._replace(mentions=Mentions(*(column[:0] for column in text.mentions)))
    recipe = Training(dimensions=4, passes=1, sample=0, terms=False, entities=False)
    words_alone, unmentioned = (fit(corpus, recipe, seed=1) for corpus in (text, silent))
    np.testing.assert_array_equal(words_alone.words, unmentioned.words)


def test_the_loss_falls_and_topics_part(tmp_path):
    text = topics(tmp_path)
    trained = fit(text, Training(dimensions=8, passes=6, sample=0, sample_terms=0, learning_rate=0.1))
    assert trained.losses[-1] < trained.losses[1] < trained.losses[0]
    for vectors, names in ((trained.terms, text.terms["term"]), (trained.entities, text.entities["entity"])):
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        kinds = np.array([name.startswith("animal") for name in names.to_pylist()])
        cosines = unit @ unit.T
        same = kinds[:, None] == kinds[None]
        assert cosines[same].mean() > cosines[~same].mean() + 0.3


def test_a_run_repeats_itself_and_threads_share_the_work(tmp_path):
    text = topics(tmp_path, sentences=60)
    recipe = Training(dimensions=4, passes=2, sample=0, sample_terms=0)
    first, second = (fit(text, recipe, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first.entities, second.entities)
    shared = fit(text, recipe.model_copy(update={"threads": 2}), seed=3)
    assert np.isfinite(shared.entities).all()
    assert np.abs(shared.entities - first.entities).max() > 0


def test_a_term_that_is_left_out_moves_no_entity(tmp_path):
    text = topics(tmp_path, sentences=60)
    recipes = [Training(dimensions=4, sample=0, passes=passes, sample_terms=1e-15) for passes in (1, 2)]
    before, after = (fit(text, recipe, seed=3) for recipe in recipes)
    np.testing.assert_array_equal(before.entities, after.entities)
    assert np.abs(before.words - after.words).max() > 0


def test_lists_move_whole_and_entries_alone(tmp_path):
    text = made(tmp_path)
    offsets, rows = text.candidates()
    lists = {tuple(rows[low:high]) for low, high in pairwise(offsets)}
    moved, moved_rows = candidates_of(text, "lists", 1)
    assert {tuple(moved_rows[low:high]) for low, high in pairwise(moved)} == lists
    same, dealt = candidates_of(text, "entities", 1)
    assert same.tolist() == offsets.tolist()
    assert sorted(dealt.tolist()) == sorted(rows.tolist())
    assert candidates_of(text)[1].tolist() == rows.tolist()


def test_too_high_a_rate_is_told(tmp_path):
    with pytest.raises(FloatingPointError, match="lower learning_rate"):
        fit(topics(tmp_path, sentences=40), Training(dimensions=4, passes=3, sample=0, learning_rate=1e30))
