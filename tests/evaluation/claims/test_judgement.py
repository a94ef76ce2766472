import json

import pytest

from repline.errors import InputError
from repline.evaluation.claims import judgement

METRICS = {"turn": {"accuracy": [0.78, 0.9, 0.99]}, "mul": {"accuracy": [0.98, 0.5, 0.33], "loss": None}, "zero": 0}


def claim(measured="turn.accuracy[2]", expected=">= 0.9", scale="small", exact=True, **other):
    claim = {"id": "one", "text": "A claim.", "scale": scale, "measured": measured, "expected": expected}
    return claim | {"exact": exact, **other}


def judge(*arguments, profile="small", **keywords):
    claims = judgement.validate([claim(*arguments, **keywords)])
    return judgement.check(claims, METRICS, profile)[0].as_json()


@pytest.mark.parametrize(
    ("expected", "verdict", "margin"),
    [
        (">= 0.9", "holds", 0.09),
        (">= 0.99", "holds", 0),
        ("> 0.99", "fails", 0),
        (">= 1", "fails", -0.01),
        ("< 0.99", "fails", 0),
        ("<= 0.99", "holds", 0),
        ("<= 0.5", "fails", -0.49),
        ("< 1.5", "holds", 0.51),
        ("between 0.9 1", "holds", 0.01),
        ("between 0.99 1", "holds", 0),
        ("between 0.2 0.5", "fails", -0.49),
        ("between 1.0 2", "fails", -0.01),
        ("between turn.accuracy[1] max(1,zero)", "holds", 0.01),
        (">= turn.accuracy[0]", "holds", 0.21),
        (">turn.accuracy[0] + 0.5", "fails", -0.29),
    ],
)
def test_verdict_and_margin(expected, verdict, margin):
    result = judge(expected=expected)
    assert result["verdict"] == verdict
    assert result["measured"] == 0.99
    assert result["margin"] == pytest.approx(margin, abs=1e-12)
    assert "reason" not in result


def test_a_result_says_what_was_compared():
    result = judge("min(turn.accuracy[1:3])", ">= turn.accuracy[0]")
    assert result == {
        "id": "one",
        "text": "A claim.",
        "scale": "small",
        "verdict": "holds",
        "measured": 0.9,
        "expected": ">= 0.78",
        "margin": pytest.approx(0.12),
        "interval": None,
        "measured_interval": None,
        "replicates": 0,
        "exact": True,
        "expressions": {"measured": "min(turn.accuracy[1:3])", "expected": ">= turn.accuracy[0]"},
    }
    assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize(
    ("measured", "missing"),
    [
        ("lstm.accuracy[0]", "lstm"),
        ("mul.loss", "mul.loss"),
        ("turn.accuracy[3]", "turn.accuracy[3]"),
        ("mean(turn.accuracy[0:4])", "turn.accuracy[0:4]"),
    ],
)
@pytest.mark.parametrize("side", ["measured", "expected"])
def test_a_missing_metric_is_not_run_and_says_which(measured, missing, side):
    result = judge(measured) if side == "measured" else judge(expected=f">= {measured}")
    assert (result["verdict"], result["measured"], result["margin"]) == ("not run", None, None)
    assert result["reason"].startswith(f"{missing} is not measured")


@pytest.mark.parametrize(
    ("scale", "profile", "verdict"),
    [
        ("small", "tiny", "not run"),
        ("small", "small", "holds"),
        ("small", "paper", "holds"),
        ("real", "small", "not run"),
        ("real", "real", "holds"),
        ("paper", "real", "not run"),
        ("paper", "paper", "holds"),
    ],
)
def test_a_claim_above_the_profile_is_not_run(scale, profile, verdict):
    result = judge(scale=scale, profile=profile)
    assert result["verdict"] == verdict
    assert verdict == "holds" or result["reason"] == f"judged at the {scale} profile; this is {profile}"
    assert result["measured"] is not None  # the number is told all the same, the margin is not
    assert (result["margin"] is None) == (verdict == "not run")


@pytest.mark.parametrize(("measured", "reason"), [("1 / zero", "zero"), ("1e999", "not finite")])
def test_a_value_that_is_no_number_does_not_hold(measured, reason):
    result = judge(measured, "< 1")
    assert result["verdict"] == "fails"
    assert reason in result["reason"]
    json.dumps(result, allow_nan=False)


@pytest.mark.parametrize("expected", ["0.9", "== 0.9", ">= ", "between 1", "between 1 2 3", "=> 1", "about 0.9", ""])
def test_an_expectation_without_a_relation_is_refused(expected):
    with pytest.raises(InputError, match="claim 'one'"):
        judge(expected=expected)


@pytest.mark.parametrize("where", ["measured", "expected"])
def test_an_unsafe_expression_is_refused_even_above_the_profile(where):
    unsafe = "__import__('os').getcwd()"
    bad = claim(unsafe, scale="paper") if where == "measured" else claim(expected=f">= {unsafe}", scale="paper")
    with pytest.raises(InputError, match=r"claim 'one'.*not allowed"):
        judgement.validate([bad])


def test_an_unknown_profile_is_refused():
    with pytest.raises(InputError, match="profile should be one of tiny, small, real, paper"):
        judge(profile="big")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"mesured": "1"}, "unknown key 'mesured'; did you mean 'measured'"),
        ({"scale": "huge"}, "scale 'huge'"),
        ({"scale": "tiny"}, "scale 'tiny'"),
        ({"text": None}, "text is missing"),
    ],
)
def test_a_malformed_claim_is_refused(changed, message):
    with pytest.raises(InputError, match=message):
        judgement.validate([{**claim(), **changed}], "claims.yaml")


def test_an_id_names_one_claim():
    with pytest.raises(InputError, match="there twice"):
        judgement.validate([claim(), claim()])


def test_read_names_the_file_and_the_line(tmp_path):
    path = tmp_path / "claims.yaml"
    with pytest.raises(InputError, match="no such file"):
        judgement.read(path)
    path.write_text("- id: one\n  text: [unclosed\n")
    with pytest.raises(InputError, match=r"claims\.yaml, line \d"):
        judgement.read(path)
    path.write_text("id: one\n")
    with pytest.raises(InputError, match="expected a list of claims, found dict"):
        judgement.read(path)
    path.write_text('- {id: one, text: A., scale: small, measured: "a[7:10]", expected: 3}\n')
    with pytest.raises(InputError, match=r"claims\.yaml: claim 'one' expects 3"):
        judgement.read(path)
    path.write_text('- {id: one, text: A., scale: small, measured: "a[7]", expected: "> 3"}\n')
    assert judgement.read(path)[0].measured == "a[7]"


@pytest.mark.parametrize(
    ("groups", "verdict"),
    [
        (["turn"], "undecided"),
        (["turn.accuracy"], "undecided"),
        (["turn.accuracy.best"], "undecided"),
        (["mul", "turnip", "turn.loss"], "holds"),
        ([], "holds"),
    ],
)
def test_what_rests_on_a_training_that_had_not_converged_is_undecided(groups, verdict):
    claims = judgement.validate([claim()])
    judged = judgement.check(claims, METRICS, "small", not_converged=groups)[0]
    assert judged.verdict == verdict
    assert judged.margin == pytest.approx(0.09)
    if verdict == "undecided":
        assert judged.reason == f"not converged: {groups[0]} still improved on development data when training ended"


def test_an_undecided_claim_says_that_its_training_had_not_converged():
    replicates = [{"turn": {"accuracy": {"best": 0.5 + number % 2}}} for number in range(20)]
    metrics = {"turn": {"accuracy": {"best": 0.9}}}
    claims = judgement.validate([{**claim("turn.accuracy.best", "> 0.8"), "exact": False}])
    judged = judgement.check(claims, metrics, "small", replicates, ["turn"])[0]
    assert (judged.verdict, judged.interval is not None) == ("undecided", True)
    assert judged.reason == "not converged: turn still improved on development data when training ended"
    assert judgement.check(claims, metrics, "small", replicates)[0].reason is None


def test_a_bound_may_rest_on_a_training_that_had_not_converged():
    claims = judgement.validate([claim(expected=">= mul.accuracy[1]"), claim("zero", "< 1", id="two")])
    judged = judgement.check(claims, METRICS, "small", not_converged=["mul"])
    assert [verdict.verdict for verdict in judged] == ["undecided", "holds"]
