import pytest

from repline.report.units_to_decide import in_words, times_the_units


def undecided(**values):
    claim = {"measured": 0.1, "verdict": "undecided", "scale": "small", "expected": "> 0", "replicates": 200}
    return claim | {"margin": 0.1, "interval": [-0.096, 0.296]} | values


def test_the_interval_shrinks_with_the_root_of_the_units():
    times = times_the_units(undecided())
    assert times == pytest.approx(1.645**2)  # the deviation is 0.1, as large as the margin
    width = 0.196 / times**0.5
    narrower = undecided(interval=[0.1 - width, 0.1 + width])
    assert times_the_units(narrower) == pytest.approx(1)
    assert times_the_units(undecided(margin=-0.05)) == pytest.approx(4 * times)


def test_what_would_decide_a_claim_in_words():
    assert in_words(undecided()) == "2.7 times the units would decide it"
    assert in_words(undecided(margin=0.0001)) == "more than 100 times the units would decide it"
    assert in_words(undecided(margin=0.17)) == "a few more units would decide it"
    assert in_words(undecided(reason="not converged: lstm")) == "not converged: lstm"


@pytest.mark.parametrize("values", [{"verdict": "holds"}, {"margin": 0.0}, {"interval": None}, {"replicates": 3}])
def test_nothing_is_said_where_the_size_is_not_known(values):
    assert times_the_units(undecided(**values)) is None
    assert in_words(undecided(**values)) == ""
