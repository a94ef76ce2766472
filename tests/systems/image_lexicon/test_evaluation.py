"""Ranks and what they come to, dispersion by part of speech, counts, and lists of words."""

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest

from repline.corpora.pictures.picture_features import PictureSets
from repline.errors import InputError
from repline.evaluation.replication.weighted_draws import numbers
from repline.lexicons.wordnet.synsets import Synset, WordNet
from repline.systems.image_lexicon.evaluation import (
    Items,
    dispersion_scores,
    explanations,
    mean_over,
    rank_measures,
    translation_scores,
)
from repline.systems.image_lexicon.image_words import Entry, WordList, as_table, of_table, read_lists
from repline.systems.image_lexicon.namesake_pictures import mutual_twins
from repline.systems.image_lexicon.polysemy import mean_senses, senses
from repline.systems.image_lexicon.set_counts import extremes, list_counts, set_sizes, usable_counts
from repline.systems.image_lexicon.settings import load
from repline.systems.image_lexicon.translation import METHODS, drawn, standing, translate

MIRROR = Path(os.environ.get("REPLINE_MIRROR", ""))
WORDS = [
    ("dog", "hund", "N"),
    ("cat", "katze", "N"),
    ("Run", "rennen", "V"),
    ("red", "rot", "A"),
    ("hand", "Hand", "N"),
]


@pytest.fixture
def lists(tmp_path):
    text = "".join(f"{source}\t{target}\t{pos}\n" for source, target, pos in WORDS)
    (tmp_path / "en_de.txt").write_text(text, encoding="utf-8")
    (tmp_path / "my_list_en_fr.txt").write_text("dog\tchien\tN\nred\trouge\tA\nrun\tchien\tV\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a list")
    return read_lists(tmp_path)


@pytest.fixture
def pictures(lists):
    """Every word has three pictures near a direction of its own, which its translation shares."""
    rng = np.random.default_rng(0)
    names = [entry.source for entry in lists["de"].entries]
    features, sets = [], {}

    def add(language, word, direction):
        rows = sets.setdefault(language, {}).setdefault(word, [])
        for _ in range(3):
            rows.append(len(features))
            features.append(np.eye(8)[direction] + 0.05 * rng.random(8))

    for number, entry in enumerate(lists["de"].entries):
        add("en", entry.source, number)
        add("de", entry.target, number)
    for entry in lists["fr"].entries:
        add("fr", entry.target, names.index(entry.source))
    array = np.array(features, dtype=np.float32)
    return PictureSets(array, sets, [("all", str(row)) for row in range(len(array))])


def test_lists_are_case_folded_and_come_back_from_their_table(lists):
    assert [tuple(entry) for entry in lists["de"].entries][2:] == [
        ("run", "rennen", "verb"),
        ("red", "rot", "adjective"),
        ("hand", "hand", "noun"),
    ]
    assert of_table(as_table(lists)) == lists
    assert list_counts(lists)["fr"] == {
        **{"entries": 3, "noun": 1, "verb": 1, "adjective": 1},
        **{"targets": 2, "shared": 2, "identical": 0, "with_blank": 0},
    }


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("en_de.txt", "dog\thund\n", "line 1: expected `word<TAB>translation<TAB>POS` with N, V or A"),
        ("en_de.txt", "dog\thund\tN\ncat\tkatze\tX\n", "line 2: expected"),
        ("en_de.txt", "", "expected words and translations, found none"),
        ("list.txt", "dog\thund\tN\n", "expected lists of words with names like en_de.txt"),
        ("a_en_fr.txt", "dog\tchien\tN\n", "a_en_fr.txt and b_en_fr.txt are both lists for fr"),
        ("a_it_de.txt", "cane\thund\tN\n", "one source language, found en, it"),
    ],
)
def test_lists_that_are_wrong(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    if name.startswith("a_"):
        (tmp_path / "b_en_fr.txt").write_text("dog\tchien\tN\n")
    with pytest.raises(InputError, match=message.replace("|", "\\|")):
        read_lists(tmp_path)


def test_ranks():
    measures = rank_measures(np.array([0, 1, 3]), np.array([1, 1, 1]))
    means = {name: value.mean() for name, value in measures.items()}
    assert (means["mrr"], means["p1"], means["p10"]) == pytest.approx((7 / 12, 1 / 3, 1))
    tied = rank_measures(np.array([0]), np.array([3]))
    assert (tied["mrr"][0], tied["mrr_optimistic"][0], tied["p1"][0], tied["p1_optimistic"][0]) == (0.5, 1, 0, 1)


def test_standing_takes_what_rounding_parts_as_alike():
    scores = np.array([[0.5, 0.9, 0.5 + 1e-8], [0.1, 0.2, 0.3]])
    better, tied, answer = standing(scores, np.array([0, 1]), np.array([0, 2]))
    assert (better.tolist(), tied.tolist(), answer.tolist()) == ([1, 0], [2, 1], [1, 2])


def test_every_method_translates_what_looks_alike(lists, pictures):
    translations, dispersions = translate(pictures, lists)
    rows = [row for row in translations.to_pylist() if row["language"] == "de"]
    assert {row["method"] for row in rows} == set(METHODS)
    assert all(row["answer"] == row["target"] and row["better"] == 0 and row["tied"] == 1 for row in rows)
    assert usable_counts(translations)["fr"] == {"all": 3, "noun": 1, "verb": 1, "adjective": 1, "candidates": 2}
    assert set_sizes(dispersions)["en"] == {"mean": 3, "words": 5, "single": 0}
    items = Items(lists)
    scores = numbers([translation_scores(translations, items)])
    assert scores["languages"]["de"]["avgmax"]["all"] == dict.fromkeys(scores["languages"]["de"]["avgmax"]["all"], 1.0)
    assert scores["baselines"]["identical"]["p1"] == pytest.approx((1 / 5 + 0) / 2)
    assert scores["baselines"]["chance"]["p1"] == pytest.approx((1 / 5 + 1 / 2) / 2)
    assert set(scores["methods"]["knn"]["noun"]) == {"p1", "p1_optimistic"}
    assert extremes(dispersions, lists, "en")[-1].keys() == {"pos", "end", "word", "dispersion"}
    of = numbers([dispersion_scores(dispersions, lists, items)])
    assert 0 < of["source"]["noun"] < 0.05 and of["mean"]["noun"] > 0


def test_all_is_the_weighted_mean_of_the_parts_of_speech(lists, pictures):
    noisy = pictures.features + np.random.default_rng(1).normal(0, 0.6, pictures.features.shape).astype(np.float32)
    translations, _ = translate(dataclasses.replace(pictures, features=noisy), lists)
    methods = numbers([translation_scores(translations, Items(lists))])["languages"]["de"]
    for method in METHODS:
        for measure, value in methods[method]["all"].items():
            parts = sum(n * methods[method][pos][measure] for pos, n in (("noun", 3), ("verb", 1), ("adjective", 1)))
            assert value == pytest.approx(parts / 5, abs=1e-12)


def test_words_without_pictures_do_not_count(lists, pictures):
    del pictures.sets["de"]["rot"]
    translations, _ = translate(pictures, lists)
    assert usable_counts(translations)["de"] == {"all": 4, "noun": 3, "verb": 1, "adjective": 0, "candidates": 4}
    methods = numbers([translation_scores(translations, Items(lists))])
    assert methods["languages"]["de"]["avgmax"]["adjective"]["mrr"] is None
    assert methods["methods"]["avgmax"]["adjective"]["mrr"] == 1  # of the other language
    pictures.sets["fr"] = {}
    with pytest.raises(InputError, match="expected pictures of the language fr"):
        translate(pictures, lists)
    pictures.sets["fr"] = {"voiture": [0]}
    with pytest.raises(InputError, match="expected words that have pictures"):
        translate(pictures, lists)


def test_pictures_are_drawn_by_seed_and_word_alone():
    rows = list(range(10, 40))
    assert drawn(rows, None, 0, "en:dog") == rows
    assert drawn(rows, 3, 0, "en:dog") == drawn(rows, 3, 0, "en:dog") == sorted(drawn(rows, 3, 0, "en:dog"))
    assert len({tuple(drawn(rows, 3, seed, word)) for seed in (0, 1) for word in ("en:dog", "en:cat")}) == 4


def test_what_varies_more_ranks_lower(lists, pictures):
    translations, dispersions = translate(pictures, lists)
    rows = dispersions.to_pylist()
    better = {"dog": 0, "cat": 1, "run": 3, "red": 2, "hand": 5}
    for row in rows:
        row["dispersion"] = better.get(row["word"], 0) / 10
    changed = [row | {"better": better[row["source"]]} for row in translations.to_pylist()]
    tables = type(translations).from_pylist(changed), type(translations).from_pylist(rows)
    correlations = explanations(*tables, {word: better[word] for word in better}, "en", Items(lists))
    assert correlations["dispersion"][0] == pytest.approx(-1) and correlations["senses"][0] == pytest.approx(-1)


def test_means_over_languages_leave_out_what_is_not_known():
    means = mean_over({"de": {"x": np.array([1.0, np.nan])}, "fr": {"x": np.array([3.0, np.nan])}})
    assert means["x"][0] == 2 and np.isnan(means["x"][1])
    assert mean_over({"de": np.array([np.nan]), "fr": np.array([4.0])})[0] == 4


def test_twins_are_pictures_of_one_name():
    names = [("a", "1"), ("a", "2"), ("b", "2"), ("b", "1")]
    features = np.array([(1, 0), (0, 1), (0.1, 1), (1, 0.1)], dtype=np.float32)
    assert mutual_twins(PictureSets(features, {}, names)) == 1
    assert mutual_twins(PictureSets(features[::-1], {}, [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")])) == 0
    assert mutual_twins(PictureSets(features[:2], {}, names[:2])) is None


def test_senses_are_of_all_parts_of_speech():
    wordnet = WordNet(
        [Synset("1-n", "n", ("run",)), Synset("1-v", "v", ("run", "hot_dog")), Synset("2-v", "v", ("Run",))]
    )
    assert senses(wordnet, ["run", "hot dog", "absent"]) == {"run": 3, "hot dog": 1, "absent": 0}
    means = mean_senses(wordnet, [("run", "verb"), ("absent", "verb"), ("run", "noun")])
    assert means == {"any": {"verb": 1.5, "noun": 3}, "own": {"verb": 1, "noun": 1}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": {"a-b": {"features": "f", "lists": "l"}}}, "image_lexicon.runs.a-b: a name should be a word like"),
        ({"runs": {"a": {"features": "f", "lists": "l", "cluster": "all"}}}, "image_lexicon.runs.a.cluster should be"),
        ({"runs": {"a": {"features": "f"}}}, "image_lexicon.runs.a.lists is missing"),
        ({"methods": {"mosst": 3}}, "did you mean 'most'"),
    ],
)
def test_settings_that_are_wrong(change, message):
    runs = {"a": {"features": "f", "lists": "l"}}
    with pytest.raises(InputError, match=message):
        load({"image_lexicon": {"wordnet": "w", "methods": {}, "runs": runs} | change})


def test_the_path_of_a_list_is_kept(lists):
    assert of_table(as_table(lists))["de"].path == Path(lists["de"].path)


def test_sets_that_vary_less_are_translated_better_by_every_method():
    """Words drawn tightly around their own concept, and words whose pictures wander between concepts."""
    rng = np.random.default_rng(0)
    concepts = rng.normal(size=(60, 16))
    names = [f"w{number}" for number in range(40)]
    tight = {name: number < 20 for number, name in enumerate(names)}
    rows, sets = [], {"en": {}, "de": {}}
    for language_sets in sets.values():
        for number, name in enumerate(names):
            centres = np.full(6, number) if tight[name] else rng.integers(40, 60, 6)
            language_sets[name] = np.arange(len(rows), len(rows) + 6)
            rows += list(concepts[centres] + 0.3 * rng.normal(size=(6, 16)))
    entries = [Entry(name, name, "noun" if tight[name] else "verb") for name in names]
    pictures = PictureSets(np.array(rows, np.float32), sets, [])
    word_list = WordList("en", "de", entries, Path("list"))
    translations, dispersions = translate(pictures, {"de": word_list})
    items = Items({"de": word_list})
    scores = numbers([translation_scores(translations, items)])["methods"]
    assert all(by_group["noun"]["p1"] > by_group["verb"]["p1"] + 0.3 for by_group in scores.values())
    varied = numbers([dispersion_scores(dispersions, {"de": word_list}, items)])["source"]
    assert varied["verb"] > varied["noun"] + 0.3


@pytest.mark.skipif(not MIRROR.is_absolute() or not (MIRROR / "image_words").is_dir(), reason="needs the mirror")
def test_the_lists_of_the_paper_have_their_counts():
    counts_by_language = list_counts(read_lists(MIRROR / "image_words"))
    for counts in counts_by_language.values():
        assert (counts["noun"], counts["verb"], counts["adjective"]) == (1406, 206, 159)
    columns = ("targets", "shared", "identical", "with_blank")
    assert {name: tuple(counts[column] for column in columns) for name, counts in counts_by_language.items()} == {
        "de": (1626, 279, 219, 3),
        "es": (1627, 271, 84, 49),
        "fr": (1633, 263, 269, 52),
        "it": (1628, 273, 107, 38),
        "ru": (1638, 253, 1, 62),
    }
