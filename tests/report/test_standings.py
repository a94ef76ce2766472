import pytest

from repline.report.gallery import asked
from repline.report.standings import MIDDLE, bar, effects


def standing(profile, of_page=False, value=0.03, **claim):
    headline = {"label": "ahead", "value": value, "shown": "+3.0%", "interval": None, "replicates": 0}
    if claim:
        headline |= {"claim": "ahead", "verdict": claim["verdict"], "shown_interval": ["+2.0%", "+4.0%"]}
    claims = {"ahead": {"measured": value, "scale": "small", "expected": "> 0", **claim}} if claim else {}
    return {
        "profile": profile,
        "of_page": of_page,
        "here": of_page,
        "changed": [],
        "headline": headline,
        "claims": claims,
    }


def test_a_bar_has_the_threshold_in_the_middle_and_the_longer_side_at_its_end():
    low, point, high = bar({"margin": 0.03, "interval": [0.02, 0.04]})
    assert MIDDLE < low < point < high < 100
    assert (high - MIDDLE) == pytest.approx(2 * (low - MIDDLE))
    mirrored = bar({"margin": -0.03, "interval": [-0.04, -0.02]})
    assert mirrored == pytest.approx((100 - high, 100 - point, 100 - low))


def test_a_bar_over_the_threshold_has_both_sides():
    low, point, high = bar({"margin": 0.5, "interval": [-1.0, 2.0]})
    assert low < MIDDLE < point < high
    assert (high - MIDDLE) == pytest.approx(2 * (MIDDLE - low))


def test_an_effect_without_interval_is_a_point_and_without_margin_no_bar():
    assert len(set(bar({"margin": 0.3}))) == 1
    assert bar({"margin": 0.0}) == (MIDDLE, MIDDLE, MIDDLE)
    assert bar({"measured": 0.3}) is None


def test_the_profile_of_the_page_comes_first_and_what_was_not_measured_is_left_out():
    decided = {"verdict": "holds", "margin": 0.03, "interval": [0.02, 0.04]}
    shown = effects([standing("small", value=None), standing("real", **decided), standing("paper", of_page=True)])
    assert [effect["profile"] for effect in shown] == ["paper", "real"]
    assert (shown[0]["verdict"], shown[0]["bar"], shown[0]["between"]) == (None, None, "")
    assert (shown[1]["verdict"], shown[1]["between"]) == ("holds", "+2.0% to +4.0%")


@pytest.mark.parametrize(
    ("expected", "shown", "words"),
    [
        (">= 0.01", "0.1%", "at least 1%"),
        ("> -0.02", "+0.1%", "more than -2%"),
        (">= 75", "+88.9", "at least 75"),
        ("<= 1e-3", "0.002", "at most 0.001"),
        ("> 0", "0.1%", ""),
        (">= max(a.b, 0.1)", "0.1%", ""),
    ],
)
def test_an_effect_says_what_is_asked_of_it_where_that_is_not_zero(expected, shown, words):
    """Else +0.1% that fails, as the paper has 1% or more, reads as a mistake."""
    assert asked(expected, shown) == words
    (effect,) = effects([standing("small", of_page=True, verdict="fails", expected=expected)])
    assert effect["asked"] == asked(expected, "+3.0%")


def test_another_profile_that_names_no_claim_measured_another_headline():
    shown = effects([standing("small", of_page=True), standing("real")])
    assert [effect["profile"] for effect in shown] == ["small"]
