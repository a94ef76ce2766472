import pytest

from repline.errors import InputError
from repline.evaluation.claims.formulas import MAX_CHARACTERS, NotMeasured, evaluate

METRICS = {
    "dyck": {"turn": {"accuracy": [0.5, 0.75, 1.0], "loss": 1.5, "holes": [0.5, None, 1.0], "empty": []}},
    "agreement": {"effects": {"is": 6.0, ",": 8.0, ".": 0.5}, "seeds": 3, "note": "text", "flag": True},
}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("dyck.turn.loss", 1.5),
        ("dyck.turn.accuracy[0]", 0.5),
        ("dyck.turn.accuracy[-1]", 1.0),
        ("min(dyck.turn.accuracy[1:3])", 0.75),
        ("max(dyck.turn.accuracy[:2])", 0.75),
        ("mean(dyck.turn.accuracy)", 0.75),
        ("sum(dyck.turn.accuracy[-2:])", 1.75),
        ("len(dyck.turn.holes)", 3),
        ("abs(1 - dyck.turn.loss * 2)", 2.0),
        ("-dyck.turn.loss / 3 + 1", 0.5),
        ("(1 + 2) * 3 - 4", 5),
        ("min(agreement.seeds, 2, dyck.turn.loss)", 1.5),
        ('agreement.effects["is"] - agreement.effects["."]', 5.5),
        ("agreement['effects'][',']", 8.0),
        (" 1e-3 ", 0.001),
        (0.25, 0.25),
    ],
)
def test_value(expression, value):
    assert evaluate(expression, METRICS, "here") == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('true')",
        "open('/etc/passwd')",
        "dyck.__class__()",
        "().__class__.__bases__[0]",
        "[x for x in (1, 2)]",
        "lambda: 1",
        "2 ** 99999999",
        "1 if 1 else 2",
        "dyck.turn.loss == 1.5",
        "dyck.turn.loss and 1",
        "'text'",
        "True",
        "not 1",
        "+1",
        "1 // 2",
        "1 % 2",
        "1 << 9",
        "min()",
        "min(dyck.turn.accuracy, key=abs)",
        "min(*dyck.turn.accuracy)",
        "dyck.turn.accuracy[::2]",
        "dyck.turn.accuracy[dyck.turn.loss]",
        "dyck.turn.accuracy[0.5]",
        "dyck.turn.accuracy[True]",
        "dyck.turn.accuracy[0, 1]",
        "f'{dyck}'",
        "(x := 1)",
        "1j",
        "round(1)",
        "min(1)(2)",
        "1 +",
        "",
        "a b",
        "1\n2",
        "agreement.effects.is",
        "(" * 400 + "1" + ")" * 400,
        "-" * MAX_CHARACTERS + "1",
        "9" * 900 + " / 2",
    ],
)
def test_everything_else_is_refused(expression):
    with pytest.raises(InputError, match="claim 'one'"):
        evaluate(expression, METRICS, "claim 'one'")


@pytest.mark.parametrize(
    "expression",
    [
        "dyck",
        "dyck.turn.accuracy",
        "dyck.turn.accuracy + 1",
        "dyck.turn + 1",
        "abs(dyck.turn.accuracy)",
        "abs(1, 2)",
        "min(agreement.effects)",
        "min(3)",
        "agreement.note",
        "agreement.flag",
        "dyck.turn.loss[0]",
        "dyck.turn.loss[0:1]",
        "dyck.turn.loss.more",
        "dyck.turn[0]",
    ],
)
def test_a_value_of_the_wrong_kind_is_an_error(expression):
    with pytest.raises(InputError, match="here"):
        evaluate(expression, METRICS, "here")


@pytest.mark.parametrize(
    "expression",
    [
        "gone",
        "dyck.gone.loss",
        "dyck.turn.accuracy[3]",
        "dyck.turn.accuracy[-4]",
        "dyck.turn.accuracy[1:4]",
        "dyck.turn.accuracy[3:]",
        "dyck.turn.accuracy[2:1]",
        "dyck.turn.holes[1]",
        "mean(dyck.turn.holes)",
        "mean(dyck.turn.holes[0:2])",
        "mean(dyck.turn.empty)",
        'agreement.effects["the"]',
    ],
)
def test_what_is_not_there_is_not_measured(expression):
    with pytest.raises(NotMeasured):
        evaluate(expression, METRICS, "here")


def test_a_slice_around_a_hole_is_measured():
    assert evaluate("sum(dyck.turn.holes[2:3])", METRICS, "here") == 1.0


def test_division_by_zero_is_left_to_the_caller():
    with pytest.raises(ZeroDivisionError):
        evaluate("1 / (agreement.seeds - 3)", METRICS, "here")
