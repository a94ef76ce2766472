import numpy as np
import pytest

from repline.evaluation.claims import judgement
from repline.evaluation.claims.formulas import names
from repline.evaluation.claims.replicates import Replicates
from repline.evaluation.replication import replicate_files
from repline.evaluation.replication.intervals import interval

METRICS = {"a": {"accuracy": [0.8, 0.9], "loss": 1.0, "sizes": {"w.x": 3}}, "b": {"accuracy": [0.7, 0.6]}, "count": 5}


def judge(parts, measured="a.accuracy[0]", expected="> b.accuracy[0]", metrics=METRICS, profile="small", **keys):
    claim = {"id": "one", "text": "A claim.", "scale": "small", "measured": measured, "expected": expected, **keys}
    return judgement.check(judgement.validate([claim]), metrics, profile, parts)[0].as_json()


def seeds(*pairs):
    return [{"a": {"accuracy": [first, 0]}, "b": {"accuracy": [second, 0]}} for first, second in pairs]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a.accuracy[0] - 2 * b.accuracy[1:]", {("a", "accuracy"), ("b", "accuracy")}),
        ('max(a.sizes["w.x"], -count)', {("a", "sizes", "w.x"), ("count",)}),
        ("mean(grid[0][1])", {("grid",)}),
        (3, set()),
    ],
)
def test_the_names_of_an_expression(expression, expected):
    assert names(expression, "here") == expected


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([(0.8, 0.7), (0.9, 0.8), (0.7, 0.6)], "holds"),
        ([(0.8, 0.7), (0.9, 0.8), (0.6, 0.7)], "undecided"),  # of fewer than 20, all must agree
        ([(0.8, 0.7)] * 19 + [(0.6, 0.7)], "holds"),  # 19 of 20
        ([(0.8, 0.7)] * 18 + [(0.6, 0.7)] * 2, "undecided"),
        ([(0.8, 0.7)], "undecided"),  # one replicate repeats nothing
        ([], "undecided"),
    ],
)
def test_a_claim_holds_where_the_replicates_agree(pairs, verdict):
    result = judge(seeds(*pairs))
    assert result["verdict"] == verdict
    assert result["replicates"] == len(pairs)
    assert result["margin"] == pytest.approx(0.1)
    assert ("reason" in result) == (len(pairs) < 2)


def test_a_claim_fails_where_the_replicates_agree_that_it_does():
    assert judge(seeds((0.6, 0.7), (0.5, 0.7)), expected="> 0.9")["verdict"] == "fails"
    assert judge(seeds((0.95, 0.7), (0.5, 0.7)), expected="> 0.9")["verdict"] == "undecided"


def test_replicates_are_compared_within_one_replicate():
    # the two groups overlap, the difference in every seed does not
    parts = seeds((0.9, 0.8), (0.5, 0.4), (0.7, 0.6))
    result = judge(parts)
    assert result["verdict"] == "holds"
    assert result["interval"] == pytest.approx([0.1, 0.1])
    assert result["measured_interval"] == [0.5, 0.9]


def test_the_interval_of_many_replicates_is_their_percentiles():
    values = np.arange(1000) / 1000
    assert interval(values.tolist()) == pytest.approx([0.024975, 0.974025])
    assert interval([0.3, None, 0.1]) == [0.1, 0.3]
    assert interval([0.3, None]) is None


def test_a_number_that_no_replicate_holds_is_undecided_and_an_exact_one_is_not():
    parts = seeds((0.8, 0.7), (0.8, 0.7))
    assert judge(parts, "count", ">= 5")["verdict"] == "undecided"
    assert judge(parts, "count", ">= 5", exact=True)["verdict"] == "holds"
    assert judge(parts, "count", "> 5", exact=True)["verdict"] == "fails"


def test_replicates_of_part_of_the_numbers_are_left_out():
    parts = [*seeds((0.8, 0.7), (0.8, 0.7)), {"a": {"accuracy": [0.1, 0.1]}}, {"a": {"loss": 3.0}}]
    result = judge(parts)
    assert (result["verdict"], result["replicates"]) == ("holds", 2)
    assert judge(parts, expected="> 0.75")["replicates"] == 3


def test_a_replicate_without_a_value_agrees_with_nothing():
    parts = [{"a": {"loss": loss}} for loss in (2.0, 2.0, 0.0)]
    assert judge(parts, "1 / a.loss", "> 0", metrics={"a": {"loss": 2.0}})["verdict"] == "undecided"
    assert judge(parts[:2], "1 / a.loss", "> 0", metrics={"a": {"loss": 2.0}})["verdict"] == "holds"


def test_replicates_do_not_change_the_metrics():
    before = repr(METRICS)
    Replicates(METRICS, seeds((0.1, 0.2))).values(["a.loss", "a.accuracy[0]"], "here")
    assert repr(METRICS) == before


def test_what_a_replicate_does_not_hold_is_as_in_the_metrics():
    """None, an empty group and a missing one say the same, as a file of replicates brings them."""
    metrics = {"a": {"loss": 1.0, "deep": {"x": 2.0, "y": 3.0}}, "b": 4.0}
    for held in ({"deep": {"x": 5.0}}, {"loss": None, "deep": {"x": 5.0, "y": None}}):
        repeated = Replicates(metrics, [{"a": held, "b": None}])
        assert repeated.values(["a.deep.x + a.deep.y + a.loss + b"], "here") == [[5.0 + 3.0 + 1.0 + 4.0]]
        assert repeated.values(["a.loss", "b"], "here") == []
    assert metrics == {"a": {"loss": 1.0, "deep": {"x": 2.0, "y": 3.0}}, "b": 4.0}


def test_a_file_keeps_replicates(tmp_path):
    parts = [
        {"a": {"accuracy": [0.5, None], "loss": 2.0}, "b": {}},
        {"a": {"accuracy": [0.25, 1.0]}, "words": {"w.x": {"n": 3}}},
        {},
    ]
    path = tmp_path / "replicates.parquet"
    replicate_files.write(path, parts)
    first = path.read_bytes()
    again = [replicate_files._present(part) for part in replicate_files.read(path)]
    assert again == [{"a": {"accuracy": [0.5, None], "loss": 2.0}}, parts[1], {}]
    replicate_files.write(path, parts)
    assert path.read_bytes() == first
    replicate_files.write(path, [])
    assert replicate_files.read(path) == []
    assert replicate_files.read(tmp_path / "none.parquet") == []


@pytest.mark.parametrize(
    ("profile", "verdict"), [("small", "holds"), ("real", "not run"), ("paper", "not run"), ("tiny", "not run")]
)
def test_a_claim_of_small_scale_alone_is_not_judged_beyond_it(profile, verdict):
    result = judge(seeds((0.8, 0.7), (0.8, 0.7)), up_to="small", profile=profile)
    assert result["verdict"] == verdict
    assert verdict == "holds" or profile in result["reason"]


def test_a_claim_says_which_data_it_needs():
    result = judge([], "missing.number", needs="Google News vectors")
    assert result["verdict"] == "not run"
    assert result["reason"] == "missing is not measured: needs Google News vectors"
    assert result["needs"] == "Google News vectors"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"exact": "yes"}, "exact: Input should be a valid boolean"),
        ({"up_to": "huge"}, "up_to is a scale from small on"),
        ({"scale": "paper", "up_to": "small"}, "up_to is a scale from paper on"),
        ({"needs": True}, "needs: Input should be a valid string"),
    ],
)
def test_malformed_keys_are_refused(keys, message):
    with pytest.raises(judgement.InputError, match=message):
        judge([], **keys)
