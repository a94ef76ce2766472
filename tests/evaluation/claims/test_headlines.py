import pytest

from repline.errors import InputError
from repline.evaluation.claims import headlines, judgement

CLAIMS = [
    {"id": "ahead", "text": "Ahead.", "scale": "small", "measured": "toy.full - toy.peer", "expected": "> 0"},
    {"id": "ahead-real", "text": "Ahead.", "scale": "real", "measured": "big.full - big.peer", "expected": "> 0"},
]
METRICS = {"toy": {"full": 0.78, "peer": 0.75}, "big": {"full": 0.5, "peer": 0.6}}
REPLICATES = [{"toy": {"full": 0.78 + shift, "peer": 0.75}} for shift in (-0.01, 0.0, 0.01)]
WANTED = {
    "label": "above its peer",
    "comparator": "the peer",
    "claim": {"small": "ahead", "real": "ahead-real"},
    "model": {"small": "toy.full", "real": "big.full"},
    "peer": {"small": "toy.peer", "real": "big.peer"},
    "chance": 0.5,
    "format": "+.1%",
}


def measured(profile, wanted=WANTED, metrics=METRICS):
    verdicts = judgement.check(judgement.validate(CLAIMS), metrics, profile, REPLICATES)
    checked = headlines.validate(wanted, "toy: headline")
    return headlines.measure(checked, verdicts, metrics, profile, "toy").as_json()


def test_a_headline_is_its_claim():
    headline = measured("small")
    assert headline["value"] == pytest.approx(0.03)
    assert (headline["shown"], headline["shown_interval"]) == ("+3.0%", ["+2.0%", "+4.0%"])
    assert (headline["verdict"], headline["claim"], headline["comparator"]) == ("holds", "ahead", "the peer")
    assert headline["shown_sides"] == "78.0% against 75.0%, chance 50.0%"


def test_each_profile_has_its_claim():
    assert measured("tiny")["claim"] == measured("small")["claim"] == "ahead"
    for profile in ("real", "paper"):  # paper names none of its own
        headline = measured(profile)
        assert (headline["claim"], headline["shown"]) == ("ahead-real", "-10.0%")
        assert headline["shown_sides"] == "50.0% against 60.0%, chance 50.0%"


def test_what_was_not_measured_says_so():
    headline = measured("small", metrics={})
    assert (headline["value"], headline["shown"], headline["verdict"]) == (None, "not run", "not run")
    assert headline["reason"] == "toy is not measured"
    assert "shown_sides" not in headline


def test_numbers_that_are_compared_have_a_format_of_their_own():
    ratio = WANTED | {"format": ".2f", "sides_format": ".3f"}
    assert measured("small", ratio)["shown_sides"] == "0.780 against 0.750, chance 0.500"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"claim": None}, "claim is missing"),
        ({"comparator": None}, "comparator is missing"),
        ({"peer": None}, "give both or neither"),
        ({"model": {"large": "toy.full"}}, "found 'large'"),
        ({"chance": {}}, "expected an expression for one of the profiles"),
        ({"chance": "open('x')"}, "not allowed"),
        ({"format": ".x"}, "format should be like"),
        ({"sides_format": ".x"}, "sides_format should be like"),
        ({"peers": "toy.peer"}, "unknown key 'peers'"),
    ],
)
def test_a_wrong_headline_is_refused(change, message):
    wanted = {key: value for key, value in (WANTED | change).items() if value is not None}
    with pytest.raises(InputError, match=message):
        headlines.validate(wanted, "toy: headline")


def test_a_claim_that_is_not_there_is_named():
    with pytest.raises(InputError, match="names claim 'behind'"):
        measured("small", WANTED | {"claim": "behind"})
