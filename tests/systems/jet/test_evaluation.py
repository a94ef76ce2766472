"""Pairs of names and entities, nearest entities, and the numbers of all tests on one space."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.evaluation.replication.weighted_draws import numbers
from repline.systems.jet import evaluation
from repline.systems.jet.entity_pairs import EntityPairs, pair_scores, read_entity_pairs, shared
from repline.systems.jet.model import Space, cosine
from repline.systems.jet.neighbourhood import agreement, chance, nearest_entities, type_matrix

HEADER = "Term1\tTerm2\tString1\tString2\tMean\tStdDev\tRawScores\n"


@pytest.fixture
def space():
    rng = np.random.default_rng(0)
    words, terms, entities = (rng.normal(size=(size, 3)).astype(np.float32) for size in (4, 2, 4))
    candidates = np.array([0, 2, 4]), np.array([0, 1, 2, 3], np.int32)
    names = [f"e{number}" for number in range(4)]
    return Space(["red", "car", "old", "boat"], words, ["red car", "boat"], terms, names, entities, candidates)


def test_pairs_in_the_form_of_wikisrs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        HEADER + 'e0\tmodern_gallery,_zagreb\tRed "Car"\tOld boat\t97.6\t2.2\t[97, 100]\n', encoding="utf-8"
    )
    pairs = read_entity_pairs(path)
    assert pairs.entities == [("e0", "modern_gallery,_zagreb")]
    assert pairs.names == [('Red "Car"', "Old boat")]
    assert pairs.scores.tolist() == [97.6]
    assert pairs.ratings == [[97.0, 100.0]]


def test_pairs_in_the_form_of_umnsrs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text('"Mean","Stdev","Term1","Term2","CUI1","CUI2"\n279,178.9,"Glaucoma","A, b","C1","C2"\n')
    pairs = read_entity_pairs(path)
    assert (pairs.names, pairs.entities) == ([("Glaucoma", "A, b")], [("C1", "C2")])
    assert pairs.ratings is None


def test_pairs_of_words_have_no_entities(tmp_path):
    (tmp_path / "pairs.tsv").write_text("# a\nred\tcar\t3\nold\tboat\t1\n")
    pairs = read_entity_pairs(tmp_path / "pairs.tsv")
    assert (pairs.names, pairs.entities) == ([("red", "car"), ("old", "boat")], None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a\tb\tA\tB\n", "line 2: expected 7 fields, found 4"),
        ("a\tb\tA\tB\tmuch\t0\t[]\n", "line 2: expected a number as Mean, found 'much'"),
        ("a\tb\tA\tB\t1\t0\t[1, x]\n", r"line 2: expected numbers in brackets as RawScores, found '\[1, x\]'"),
        ("", "expected at least one pair, found none"),
    ],
)
def test_wrong_pairs_are_told_in_a_sentence(tmp_path, line, message):
    (tmp_path / "pairs.csv").write_text(HEADER + line)
    with pytest.raises(InputError, match=message):
        read_entity_pairs(tmp_path / "pairs.csv")


def test_scores_by_hand(space):
    pairs = EntityPairs([("Red car", "boat"), ("old", "tree")], [("e1", "e2"), ("e0", "nobody")], np.array([1.0, 2.0]))
    scores = pair_scores(pairs, space)
    s1, s2 = space.word_vectors[[0, 1]].mean(0), space.word_vectors[3]
    e1, e2 = space.entity_vectors[1], space.entity_vectors[2]
    assert scores["word"][0][0] == pytest.approx(cosine(s1, s2))
    assert scores["term"][0][0] == pytest.approx(cosine(*space.term_vectors))
    assert scores["entity"][0][0] == pytest.approx(cosine(e1, e2))
    assert scores["entity_word"][0][0] == pytest.approx(cosine(e1, e2) + cosine(s1, s2))
    cross = cosine(e1, e2) + cosine(s1, s2) + cosine(e1, s2) + cosine(s1, e2)
    assert scores["cross"][0][0] == pytest.approx(cross)
    assert all(is_known.tolist() == [True, False] for _, is_known in scores.values())


def test_of_names_alone_the_nearest_meanings_count(space):
    scores = pair_scores(EntityPairs([("red car", "boat")], None, np.array([1.0])), space)
    cosines = cosine(space.entity_vectors[:2][:, None], space.entity_vectors[2:][None])
    assert scores["entity"][0][0] == pytest.approx(cosines.max())


def test_without_entity_vectors_entity_and_word_is_word(space):
    pairs = EntityPairs([("red", "car"), ("old", "boat")], [("e0", "e1"), ("e2", "e3")], np.array([1.0, 2.0]))
    empty = Space(space.words, space.word_vectors, entities=space.entities, entity_vectors=0 * space.entity_vectors)
    scores = pair_scores(pairs, empty)
    np.testing.assert_array_equal(scores["entity_word"][0], scores["word"][0])
    assert "term" not in scores


def test_filtered_pairs_are_those_that_all_know():
    is_known = {"word": np.array([1, 1, 1, 1, 0], bool), "entity": np.array([1, 1, 1, 0, 1], bool)}
    assert shared(is_known).tolist() == [True, True, True, False, False]
    assert not shared({"word": np.array([1, 1, 0], bool)}).any()


def test_nearest_with_and_without_shared_terms():
    vectors = np.array([[1, 0], [1, 0.1], [1, 0.5], [0, 1]], np.float32)
    candidates = np.array([0, 2, 3, 4]), np.array([0, 1, 2, 3], np.int32)  # 0 and 1 share a term
    neighbours = nearest_entities(vectors, candidates, np.arange(4))
    assert neighbours.nearest.tolist() == [1, 0, 1, 2]
    assert neighbours.unrelated.tolist() == [2, 2, 1, 2]
    alone = nearest_entities(vectors[:2], (np.array([0, 2]), np.array([0, 1], np.int32)), np.arange(2))
    assert alone.unrelated.tolist() == [-1, -1]


def test_nearest_in_blocks(monkeypatch):
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(30, 4)).astype(np.float32)
    candidates = np.arange(0, 31, 3), rng.permutation(30).astype(np.int32)
    whole = nearest_entities(vectors, candidates, np.arange(30))
    monkeypatch.setattr("repline.systems.jet.neighbourhood.BLOCK", 7)
    cut = nearest_entities(vectors, candidates, np.arange(30))
    assert whole.nearest.tolist() == cut.nearest.tolist()
    assert whole.unrelated.tolist() == cut.unrelated.tolist()


def test_agreement_and_chance():
    single = type_matrix([["a"], ["a"], ["b"], ["b"]])
    assert chance(single) == 0.5
    several = type_matrix([["a", "b"], ["b"], ["c"], []])
    assert chance(several) == pytest.approx((2 * 2 + 1) / 16)
    nearest = np.array([1, 2, 0, -1])
    assert agreement(several, np.arange(4), nearest).tolist() == [True, False, False, False]


def test_every_number_has_its_replicates(space):
    pairs = EntityPairs([("red", "car"), ("old", "boat"), ("red", "boat")], None, np.array([1.0, 2.0, 3.0]))
    scores = evaluation.pairs_of(space, pairs)
    assert scores["word"]["rho"].shape == (201,)
    assert numbers([scores])["word"]["pairs"] == 3
    near = evaluation.neighbours(space, [["x"], ["x"], ["y"], ["y"]], queries=4)
    assert near["all_by_chance"][0] == pytest.approx(near["all"][0] / 0.5)


def test_analogies_by_section(space):
    words = Space(["a", "b", "c", "d"], np.array([[1, 0], [1, 1], [0, 1], [-0.2, 1.9]], np.float32))
    accuracies = evaluation.analogies_of(words, [("a", "b", "c", "d"), ("a", "b", "c", "x")], ["city-in-state"] * 2)
    assert numbers([accuracies]) == {"city_in_state": {"accuracy": 1, "questions": 1}}


def test_a_space_without_definitions_is_asked_without_them(space):
    from repline.systems.jet.disambiguation import Instances

    table = pa.table({"definition": [""] * 4, "neighbours": pa.array([[]] * 4, pa.list_(pa.int32()))})
    instances = Instances(np.array([0, 1]), np.array([0, 3]), ["car", "old"], ["red car", "boat"])
    accuracies = evaluation.disambiguated(space, instances, table)
    assert accuracies["instances"][0] == 2
    assert "definitions" not in accuracies


def test_replicates_draw_terms_with_all_their_instances(space):
    from repline.systems.jet.disambiguation import Instances

    table = pa.table({"definition": [""] * 4, "neighbours": pa.array([[]] * 4, pa.list_(pa.int32()))})
    instances = Instances(
        np.array([0, 0, 0, 1]), np.array([0, 0, 0, 3]), ["car", "red", "old car", "old"], ["red car"] * 4
    )
    space = replace(space, candidates=(np.array([0, 3, 4]), np.array([0, 1, 2, 3], np.int32)))  # chances of 1/3 and 1
    accuracies = evaluation.disambiguated(space, instances, table)
    assert np.unique(accuracies["chance"].round(6)).tolist() == [0.333333, 0.5, 1]  # one by one there were five shares


@pytest.mark.parametrize(("permuted", "made"), [(False, ["seed-0"]), (True, ["seed-0", "seed-1"])])
def test_permuted_runs_have_mentions_of_their_own(space, tmp_path, monkeypatch, permuted, made):
    """The candidates of a term are others in each run with permuted entities."""
    folders = [tmp_path / f"seed-{seed}" for seed in (0, 1)]
    for folder in folders:
        folder.mkdir()
        (folder / evaluation.LOSSES).write_text("[1.0]")
    spaces = {folder.name: replace(space) for folder in folders}
    mentions = []

    def mentions_of(tests, of_run, settings):
        mentions.append(next(name for name, each in spaces.items() if each is of_run))
        return "mentions"

    monkeypatch.setattr(evaluation, "candidates_of", lambda corpus, permuted, seed: None)
    monkeypatch.setattr(evaluation, "load", lambda folder, candidates: spaces[folder.name])
    monkeypatch.setattr(evaluation, "_instances", mentions_of)
    monkeypatch.setattr(evaluation, "_scores", lambda *arguments: {})
    monkeypatch.setattr(evaluation, "analogies_of", lambda *arguments: {})
    model, settings = SimpleNamespace(permuted=permuted), SimpleNamespace(most_queries=1)
    evaluation.evaluate_model(model, folders, None, SimpleNamespace(instances=[], analogies=()), settings)
    assert mentions == made
