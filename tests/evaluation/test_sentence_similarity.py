import numpy as np
import pytest

from repline.corpora.sentence_pairs.scored_pairs import PAIRS
from repline.evaluation.sentence_similarity import file_correlations, means_by_test, pair_files

ROWS = [
    ("sts12", "b", 0, ["x"], ["y", "z"], 1.0, None),
    ("sts12", "b", 1, ["x"], ["y"], 2.0, None),
    ("sts12", "b", 2, ["x"], ["x"], 3.0, None),
    ("sick", "train", 0, ["x"], ["x"], 3.0, "NEUTRAL"),
    ("sts12", "a", 0, ["x"], ["y"], 1.0, None),
    ("sts12", "a", 1, ["x"], ["y"], 5.0, None),
    ("sick", "test", 0, ["x"], ["x"], 3.0, "NEUTRAL"),
    ("sick", "test", 1, ["x"], ["x"], 4.0, "NEUTRAL"),
]


@pytest.fixture
def files():
    columns = dict(zip(PAIRS.names, zip(*ROWS, strict=True), strict=True))
    import pyarrow as pa

    return pair_files(pa.table({name: list(values) for name, values in columns.items()}, schema=PAIRS))


def test_training_files_are_not_scored(files):
    assert [(pairs.test, pairs.file, len(pairs.scores)) for pairs in files] == [
        ("sts12", "b", 3),
        ("sts12", "a", 2),
        ("sick", "test", 2),
    ]
    assert files[0].second == [["y", "z"], ["y"], ["x"]]


def test_correlations_are_by_file_and_means_unweighted(files):
    measured = file_correlations(files, lambda pairs: np.array([0.1, 0.9, 0.2])[: len(pairs.scores)])
    assert measured["sts12"]["b"] == pytest.approx(100 * np.corrcoef([0.1, 0.9, 0.2], [1, 2, 3])[0, 1])
    assert measured["sts12"]["a"] == pytest.approx(100)
    means = means_by_test(measured)
    assert means["sts12"] == pytest.approx((measured["sts12"]["a"] + measured["sts12"]["b"]) / 2)
    assert "mean_12_15" not in means


def test_equal_similarities_have_no_correlation(files):
    measured = file_correlations(files, lambda pairs: np.ones(len(pairs.scores)))
    assert measured["sick"]["test"] is None
    assert means_by_test(measured) == {}


def test_dev_and_test_stay_apart_and_four_years_have_a_mean():
    measured = means_by_test({"stsb": {"dev": 1.0, "test": 3.0}} | {f"sts{y}": {"f": float(y)} for y in range(12, 16)})
    assert (measured["stsb_dev"], measured["stsb_test"], measured["mean_12_15"]) == (1, 3, 13.5)
    assert "stsb" not in measured
