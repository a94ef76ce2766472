"""Retrieval with duplicates, pieces of documents, classifiers across languages, and the baseline of aligned words."""

import numpy as np
import pytest

from repline.systems.multilingual_seq2seq.aligned_words import aligned_word_vectors, mean_vectors
from repline.systems.multilingual_seq2seq.documents import (
    classify,
    document_vectors,
    labelled_documents,
    pieces,
    window_starts,
)
from repline.systems.multilingual_seq2seq.evaluation import accuracies, measured, most_frequent, resampled
from repline.systems.multilingual_seq2seq.retrieval import averages, nearest, translations_found
from repline.systems.multilingual_seq2seq.settings import WAYS
from tests.systems.multilingual_seq2seq.small_texts import small_data

VECTORS = np.random.default_rng(0).normal(size=(40, 6))


def test_every_sentence_finds_itself_and_scale_does_not_matter():
    scaled = VECTORS * np.linspace(0.1, 9, 40)[:, None]
    table = translations_found({"en": VECTORS, "de": scaled})
    assert all(hits.all() for row in table.values() for hits in row.values())
    noisy = VECTORS + np.random.default_rng(1).normal(size=VECTORS.shape)
    assert np.array_equal(nearest(noisy, VECTORS), nearest(3 * noisy, scaled))
    assert np.array_equal(nearest(noisy, VECTORS, block=7), nearest(noisy, VECTORS))


def test_of_equal_vectors_the_first_counts():
    twice = np.repeat(VECTORS, 2, axis=0)
    hits = translations_found({"en": twice})["en"]["en"]
    assert hits.mean() == 0.5 and hits[::2].all()


def test_a_sentence_without_a_vector_does_not_take_all_answers():
    empty = VECTORS.copy()
    empty[3] = 0
    assert translations_found({"en": VECTORS, "de": empty})["en"]["de"].sum() == 39


def test_averages_leave_out_what_is_not_there():
    table = {"en": {"en": 1.0, "de": 0.5}, "de": {"en": 0.3, "de": None}}
    assert averages(table) == {"all": pytest.approx(0.6), "across": pytest.approx(0.4), "within": 1.0}
    assert averages({"en": {"en": 1.0}})["across"] is None


@pytest.mark.parametrize(
    ("words", "starts"), [(0, []), (1, [0]), (128, [0]), (129, [0, 64]), (192, [0, 64]), (300, [0, 64, 128, 192])]
)
def test_windows_stop_at_the_first_that_reaches_the_end(words, starts):
    assert window_starts(words) == starts
    cut = pieces([list(range(words))], "windows", set())
    assert [piece[0] for piece in cut] == starts and (not cut or cut[-1][-1] == words - 1)


def test_pieces_end_at_marks_or_where_a_text_ends():
    texts = [[1, 2, 9], [3], [4, 9, 5]]
    assert pieces(texts, "punctuation", {9}) == [[1, 2, 9], [3, 4, 9], [5]]
    assert pieces([[1, 9]], "punctuation", {9}) == [[1, 9]] and pieces([[1]], "punctuation", {9}) == [[1]]
    assert pieces(texts, "texts", {9}) == texts


def test_a_document_is_the_mean_or_the_maximum_of_its_pieces():
    def embed(sentences):
        return np.array([[sum(sentence), -len(sentence)] for sentence in sentences], np.float32)

    vectors = document_vectors([[[1, 2], [3]], [[4]]], ["mean", "max"], embed)
    assert vectors["mean"].tolist() == [[3, -1.5], [4, -1]] and vectors["max"].tolist() == [[3, -1], [4, -1]]


def test_classifiers_are_tuned_where_they_should_be():
    rng = np.random.default_rng(0)
    labels = np.array(["a", "b"] * 30)
    signal = np.where(labels == "a", 1.0, -1.0)[:, None]
    rows = {part: {key: signal + rng.normal(size=(60, 3)) for key in ("en", "de", "fr")} for part in ("train", "dev")}
    rows["test"] = {"en": signal * [2, 2, 2], "de": signal * [2, 2, 2], "fr": -signal * [2, 2, 2]}
    classified = classify(rows, {part: dict.fromkeys(row, labels) for part, row in rows.items()}, [0.01, 0.1])
    assert classified.zero_shot["en"]["de"].all() and not classified.zero_shot["en"]["fr"].any()
    assert classified.targeted["fr"]["en"].all() and set(classified.one_out) == {"en", "de", "fr"}
    assert classified.one_out["en"].all() and not classified.one_out["fr"].any()
    two = {part: {key: row[key] for key in ("en", "de")} for part, row in rows.items()}
    assert not classify(two, {part: dict.fromkeys(row, labels) for part, row in two.items()}, [0.1]).one_out


def test_one_decomposition_aligns_the_words_of_all_languages():
    data = small_data(200)
    vectors = aligned_word_vectors(data, dimensions=10)
    embed = mean_vectors(vectors)
    assert np.allclose(embed([[6, 7], [8]]), [(vectors[6] + vectors[7]) / 2, vectors[8]], atol=1e-6)
    metrics = accuracies([measured(embed, data, [0.1], list(WAYS))])
    assert metrics["distinct"]["test"]["across"] > 0.7  # the same words in another order have the same mean
    transfer = metrics["transfer"]["own"]["texts_mean"]
    assert transfer["zero_shot"]["en"]["fr"] > 0.9 and transfer["one_out"]["mean"] > 0.9
    assert most_frequent(data)["own"]["de"] == pytest.approx(0.5)


def test_replicates_draw_items_and_runs_and_leave_their_means_near():
    data = small_data(100)
    rng = np.random.default_rng(0)
    tables = [rng.normal(size=(len(data.words), 8)).astype(np.float32) for _ in range(2)]
    runs = [measured(mean_vectors(table), data, [0.1]) for table in tables]
    values, parts = accuracies(runs), resampled(runs)
    drawn = [part["retrieval"]["test"]["en"]["en"] for part in parts]
    assert len(parts) == 200 and len(set(drawn)) > 5
    assert np.mean(drawn) == pytest.approx(values["retrieval"]["test"]["en"]["en"], abs=0.03)
    assert parts[0]["transfer"]["own"]["texts_mean"]["zero_shot"].keys() >= {"en", "across"}
    assert set(labelled_documents(data)) == {"own"}
