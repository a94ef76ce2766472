"""What the transfer into a second language hands to the library, and what is said to be lost on the way."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from repline.lexicons import bilingual_dictionary
from repline.systems.concreteness import ratings as rating_files
from repline.systems.concreteness import transfer
from repline.systems.concreteness.artificial_language import make_language
from repline.systems.concreteness.evaluation import evaluate_across
from repline.systems.concreteness.regressors import RatingNetworks
from repline.systems.concreteness.settings import Language, load
from repline.systems.concreteness.transfer import RatedLanguage, train_across
from repline.training.run import Run
from repline.vectors.normalisation import unit_length
from tests.stages import parameter_files

WORDS = [f"q{a}{b}" for a in "abcdefgh" for b in "abcdefghij"]
RANDOM = np.random.default_rng(0)
VECTORS = RANDOM.normal(size=(80, 6)) + np.linspace(0, 1, 6)
RATINGS = {word: {"concreteness": 3 + float(np.tanh(row[0]))} for word, row in zip(WORDS, VECTORS, strict=True)}
LANGUAGE = make_language(WORDS, VECTORS, RATINGS, Language(noise=0.1, agreement=0.9, rated=30))


@pytest.fixture
def carry(tmp_path, monkeypatch):
    """The transfer with vectors of these lengths and networks that are not trained; its predictions, and the recipe."""
    values = parameter_files.profile("tiny")
    changes = {"pairs": [10, 20], "frequent": 60, "search": 80, "most": 60, "dropout": 0.7}
    values["concreteness"]["across"] |= changes
    for name, ratings in (("source", RATINGS), ("target", LANGUAGE.ratings)):
        pq.write_table(rating_files.ratings_table(ratings), tmp_path / f"{name}.parquet")
    for name, pairs in (("dictionary", LANGUAGE.pairs), ("concepts", LANGUAGE.concepts)):
        columns = [list(column) for column in zip(*pairs, strict=True)]
        pq.write_table(pa.table(columns, schema=bilingual_dictionary.PAIRS), tmp_path / f"{name}.parquet")
    recipes = []

    def untrained(recipe, x, ratings, rows, this_run):
        recipes.append(recipe)
        torch.manual_seed(0)
        return RatingNetworks(x.shape[1], members=len(rows)).eval()

    monkeypatch.setattr(transfer, "train_networks", untrained)

    def run(lengths=1.0, other_lengths=1.0):
        source = RatedLanguage.of(WORDS, (VECTORS * lengths).astype(np.float32), tmp_path / "source.parquet")
        vectors = (LANGUAGE.vectors * other_lengths).astype(np.float32)
        target = RatedLanguage.of(LANGUAGE.words, vectors, tmp_path / "target.parquet")
        pairs = (tmp_path / f"{name}.parquet" for name in ("dictionary", "concepts"))
        train_across(load(values), source, target, *pairs, Run(tmp_path / "across"))
        tables = [pq.read_table(tmp_path / "across" / f"{name}.parquet") for name in ("predictions", "by_alignment")]
        columns = {name: table[name].to_numpy() for table in tables for name in table.column_names}
        return columns | {"alignments": json.loads((tmp_path / "across/alignments.json").read_text())}, recipes

    return run


def test_the_networks_have_the_dropout_of_the_transfer(carry):
    _, (recipe,) = carry()
    assert recipe.dropout == 0.7  # not that of the networks inside one language, 0.5
    assert recipe.epochs == 2


@pytest.mark.parametrize("side", ["source", "target"])
def test_only_the_directions_of_vectors_cross_over(carry, side):
    plain, _ = carry()
    lengths = 2.0 ** np.random.default_rng(1).integers(-3, 4, size=(80, 1))
    scaled, _ = carry(*((lengths, 1.0) if side == "source" else (1.0, lengths)))
    assert scaled.keys() == plain.keys()
    for name in ("svr", "ffn", "ceiling", "orthogonal_10", "least_squares_20", "refined", "unsupervised"):
        assert scaled[name] == pytest.approx(plain[name], abs=1e-5), name
    assert scaled["alignments"] == plain["alignments"]


def test_nothing_is_fitted_on_a_word_of_the_test(carry, monkeypatch):
    """Neither the regressors, on a word of the same meaning, nor a map, on a pair of it."""
    seen, true = {}, transfer.alignments

    def alignments(a, b, seeds, same, **options):
        seen["pairs"] = {LANGUAGE.words[row] for row in np.concatenate([seeds, same])[:, 0]}
        return true(a, b, seeds, same, **options)

    def untrained(recipe, x, ratings, rows, this_run):
        seen["fitted"] = {tuple(row) for row in np.round(x, 6).tolist()}
        return RatingNetworks(x.shape[1], members=len(rows)).eval()

    monkeypatch.setattr(transfer, "alignments", alignments)
    monkeypatch.setattr(transfer, "train_networks", untrained)
    carry()
    tested = set(LANGUAGE.ratings)
    assert seen["pairs"] and not seen["pairs"] & tested
    meant = {source for source, word in LANGUAGE.concepts if word in tested}
    vectors = np.round(unit_length(np.asarray(VECTORS.astype(np.float32), np.float64)), 6).tolist()
    same = {tuple(row) for word, row in zip(WORDS, vectors, strict=True) if word in meant}
    assert len(same) == 30 and len(seen["fitted"]) == 50
    assert not seen["fitted"] & same


def test_a_map_is_tested_on_pairs_that_it_has_not_seen(carry, monkeypatch):
    seen, true = {}, transfer.alignments

    def alignments(a, b, seeds, same, **options):
        seen["learned"] = set(map(tuple, seeds.tolist()))
        return true(a, b, seeds, same, **options)

    def precision(mapped, b, pairs):
        seen["tested"] = set(map(tuple, pairs.tolist()))
        return 0.0

    monkeypatch.setattr(transfer, "alignments", alignments)
    monkeypatch.setattr(transfer.alignment, "precision_at_1", precision)
    carry()
    assert len(seen["learned"]) == 20
    assert len(seen["tested"]) > 20
    assert not seen["learned"] & seen["tested"]
    spelled = {(LANGUAGE.words[row], WORDS[source_row]) for row, source_row in seen["learned"] | seen["tested"]}
    assert spelled <= {
        (translation, word) for word, translation in LANGUAGE.pairs
    }  # rows of the second language, then of the first


def test_words_that_the_dictionary_does_not_reach_have_the_mean_of_the_source(carry):
    columns, _ = carry()
    unreached = np.isnan(columns["dic"])
    assert 0 < unreached.sum() < len(unreached)
    assert (columns["dic_backoff"][~unreached] == columns["dic"][~unreached]).all()
    (mean,) = set(columns["dic_backoff"][unreached].tolist())
    assert 2.5 < mean < 3.5


def test_the_loss_is_the_share_of_the_ceiling_that_is_not_reached(tmp_path):
    gold = np.arange(1.0, 7.0)
    nothing = np.full(6, np.nan)
    columns = {
        "target": ["concreteness"] * 6,
        "word": list("abcdef"),
        "gold": gold,
        "svr": np.array([2.0, 1.0, 3.0, 6.0, 5.0, 4.0]),  # d^2 = 1 + 1 + 4 + 4: rho = 1 - 6 * 10 / 210
        "ffn": gold[::-1],
        "dic": np.where(gold < 4, gold, nothing),
        "dic_backoff": np.where(gold < 4, gold, 2.0),
        "ceiling": np.array([1.0, 2.0, 3.0, 4.0, 6.0, 5.0]),  # d^2 = 2: rho = 1 - 6 * 2 / 210
    }
    folder = tmp_path
    pq.write_table(pa.table(columns), folder / "predictions.parquet")
    pq.write_table(pa.table({"word": list("abcdef"), "gold": gold, "map": gold}), folder / "by_alignment.parquet")
    (folder / "alignments.json").write_text(json.dumps({"maps": {"map": {"pairs": 3}}}))
    metrics = evaluate_across(folder, 20).metrics
    rho, ceiling = 1 - 60 / 210, 1 - 12 / 210
    transferred = metrics["concreteness"]
    assert [transferred["all"][method] for method in ("svr", "ffn", "ceiling")] == pytest.approx([rho, -1, ceiling])
    assert transferred["covered"]["svr"] == pytest.approx(0.5)  # ranks 2 1 3 of the first three
    assert transferred["coverage"] == 0.5
    assert transferred["loss"] == pytest.approx(1 - rho / ceiling)
    assert metrics["alignments"]["map"] == {"pairs": 3, "svr": pytest.approx(1)}
