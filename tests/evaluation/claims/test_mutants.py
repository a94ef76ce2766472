import pytest

from repline.evaluation.claims.judgement import Claim
from repline.evaluation.claims.metric_names import controls, named_in_order, variants
from repline.evaluation.claims.mutants import examine, mutants


def claim(measured, expected, **values):
    return Claim(id="a-claim", text="A claim.", scale="small", measured=measured, expected=expected, **values)


def verdicts(examination, kind):
    return {mutant.mutant.text: mutant.verdict for mutant in examination.mutants if mutant.mutant.kind == kind}


METRICS = {
    "lstm": {"accuracy": 0.9, "by_length": [0.9, 0.8, 0.7]},
    "gru": {"accuracy": 0.8, "by_length": [0.8, 0.6, 0.5]},
    "untrained": {"accuracy": 0.3},
}
REPLICATES = [
    {"lstm": {"accuracy": 0.9 + shift}, "gru": {"accuracy": 0.8 - shift}} for shift in (0.0, 0.01, 0.02, 0.03)
]


def test_swapped_sides_turn_a_comparison():
    examination = examine(claim("lstm.accuracy - gru.accuracy", "> 0"), METRICS, "small", REPLICATES)
    assert examination.verdict.verdict == "holds"
    assert verdicts(examination, "swapped") == {"lstm.accuracy <-> gru.accuracy": "fails"}


def test_a_control_takes_the_place_of_a_model_in_every_replicate():
    examination = examine(claim("lstm.accuracy", ">= 0.85"), METRICS, "small", REPLICATES)
    assert verdicts(examination, "levelled") == {"lstm.accuracy := untrained.accuracy": "fails"}
    # the control has no replicates: it takes part in each with its one number, so that the verdict is decided
    assert examination.moved("levelled")


def test_chance_takes_the_place_of_a_model():
    examination = examine(claim("gru.accuracy", ">= 0.7"), {"gru": METRICS["gru"]}, "small", REPLICATES, chance=0.5)
    assert verdicts(examination, "levelled") == {"gru.accuracy := 0.5": "fails"}


def test_a_difference_between_models_becomes_that_of_two_alike():
    metrics = {"early": {"smallest_lead": 0.3, "epochs": 4.0}}
    assert verdicts(examine(claim("early.smallest_lead", "> 0", exact=True), metrics, "small"), "levelled") == {
        "early.smallest_lead := 0": "fails"
    }
    assert not verdicts(examine(claim("early.epochs", "> 0", exact=True), metrics, "small"), "levelled")


def test_models_that_change_places_in_each_replicate_leave_a_claim_undecided():
    examination = examine(claim("lstm.accuracy", "> gru.accuracy"), METRICS, "small", REPLICATES)
    assert verdicts(examination, "dealt")["models swapped at random in each replicate"] == "undecided"


def test_another_model_takes_the_place_of_the_only_one():
    examination = examine(claim("lstm.accuracy", ">= 0.85"), METRICS, "small", REPLICATES)
    assert verdicts(examination, "dealt")["lstm.accuracy := gru.accuracy"] == "fails"


@pytest.mark.parametrize(
    "measured, expected",
    [
        ("lstm.by_length[0] - lstm.by_length[2]", "> 0"),
        ("lstm.by_length[0] - mean(lstm.by_length[1:3])", "> 0"),
        ("min(lstm.accuracy - gru.accuracy, gru.accuracy - untrained.accuracy)", "> 0"),
    ],
)
def test_a_trend_in_reverse_order_fails(measured, expected):
    examination = examine(claim(measured, expected, exact=True), METRICS, "small")
    assert examination.verdict.verdict == "holds"
    assert set(verdicts(examination, "reversed").values()) == {"fails"}


@pytest.mark.parametrize(
    "measured, expected",
    [
        ("lstm.accuracy - lstm.accuracy", ">= 0"),
        ("abs(lstm.accuracy - gru.accuracy)", "<= 1"),
        ("lstm.accuracy + gru.accuracy", ">= gru.accuracy"),
    ],
)
def test_a_claim_that_no_mutant_moves_says_so(measured, expected):
    examination = examine(claim(measured, expected, exact=True), METRICS, "small")
    assert examination.verdict.verdict == "holds" and not examination.moved()
    assert examination.reason.startswith("holds by each of its ")


def test_a_number_without_a_second_one_has_no_mutant():
    examination = examine(claim("lstm.steps", "> 1", exact=True), {"lstm": {"steps": 3}}, "small")
    assert not examination.mutants and "no second number" in examination.reason


def test_a_claim_without_replicates_says_why_it_does_not_move():
    examination = examine(claim("lstm.accuracy", "> gru.accuracy"), METRICS, "small")
    assert examination.verdict.verdict == "undecided" and "no replicates" in examination.reason


def test_a_claim_that_was_not_judged_has_no_mutants():
    examination = examine(claim("lstm.f1", "> gru.f1"), METRICS, "small", REPLICATES)
    assert examination.verdict.verdict == "not run" and not examination.mutants and examination.reason is None


def test_a_failing_claim_is_moved_by_the_same_mutants():
    examination = examine(claim("gru.accuracy", "> lstm.accuracy"), METRICS, "small", REPLICATES)
    assert examination.verdict.verdict == "fails"
    assert verdicts(examination, "swapped") == {"gru.accuracy <-> lstm.accuracy": "holds"}


def test_lists_and_numbers_are_not_exchanged():
    exchanged = mutants(claim("lstm.by_length[0]", "> gru.accuracy"), METRICS)
    assert not [mutant for mutant in exchanged if mutant.kind == "swapped"]


def test_names_come_in_the_order_of_the_claim():
    ordered = named_in_order(claim('b.x["2"] - a.y[3]', "between a.low b.x.high"))
    assert ordered == [("b", "x", "2"), ("a", "y"), ("a", "low"), ("b", "x", "high")]


def test_a_name_that_begins_another_keeps_its_position():
    assert named_in_order(claim("m.p10 - m.p1", "> 0")) == [("m", "p10"), ("m", "p1")]


def test_controls_are_the_same_number_of_what_learned_nothing():
    metrics = {
        "run": {
            "lstm": {"accuracy": 0.9, "steps": 4, "shuffled": {"accuracy": 0.4}},
            "lstm_shuffled": {"accuracy": 0.5},
            "documents": {"majority": 0.2, "n": 100},
        },
        "chance": {"accuracy": 0.1},
    }
    assert controls(metrics, ("run", "lstm", "accuracy")) == [
        ("run", "lstm", "shuffled", "accuracy"),
        ("run", "lstm_shuffled", "accuracy"),
        ("run", "documents", "majority"),
        ("chance", "accuracy"),
    ]
    assert controls(metrics, ("run", "lstm", "steps")) == []  # a majority is of an accuracy
    assert controls(metrics, ("run", "lstm_shuffled", "accuracy")) == []


def test_variants_are_the_same_number_of_other_models():
    metrics = {"a": {"lstm": {"f1": 1, "n": 5}, "gru": {"f1": 2, "n": 5}, "moved": {"lstm": 3, "gru": 4, "all": 5}}}
    assert variants(metrics, ("a", "lstm", "f1")) == [("a", "gru", "f1")]
    assert variants(metrics, ("a", "moved", "lstm")) == [("a", "moved", "gru")]
