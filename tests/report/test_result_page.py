import pytest

from repline.evaluation.claims import judgement
from repline.report import reference, result_page
from repline.report.content import describe
from repline.report.run_records import read_runs
from tests.report import toy_system

CLAIMS = judgement.validate(toy_system.CLAIMS)


@pytest.fixture
def references(project):
    report = describe(["toy", "waiting"], toy_system.PARAMETERS, project / "stages", project / "data")
    return {"small": reference.collect(report, read_runs(project / "data/scratch/runs"))}


def test_every_claim_and_the_numbers_of_the_paper_that_were_measured(references):
    page = result_page.page(references, "toy", CLAIMS).splitlines()
    assert page[0].startswith("Profile `small`: 2026-11-21, 2 cores, Linux-6.1")
    rises = "| `rises`: It rises. | holds: 0.99 (0.97 to 0.99), expected >= 0.78, margin 0.21 ("
    assert any(line.startswith(rises) for line in page)
    assert any(line.startswith("| `at-scale`: At scale.") and line.endswith("| not run |") for line in page)
    assert "| Loss table, d, full | 1.47213 | 1.857 (1.897 to 1.899) |" in page
    assert "make reference" in result_page.page(references, "unknown", CLAIMS)


def test_claims_that_fail_or_are_undecided_are_listed_by_id(references):
    assert "Claims that fail in `small`: `low-loss`.  " in result_page.page(references, "toy", CLAIMS).splitlines()
    references["small"]["systems"]["toy"]["claims"]["rises"]["verdict"] = "undecided"
    assert "Claims that are undecided in `small`: `rises`.  " in result_page.page(references, "toy", CLAIMS)
    assert "Claims that" not in result_page.page(references, "waiting", CLAIMS)


def test_parameters_that_changed_since_are_named(references):
    page = result_page.page(references, "toy", CLAIMS, older={"small": ["toy.seeds", "toy.words"]})
    assert "`small` was measured before these parameters changed: `toy.seeds`, `toy.words`.  " in page.splitlines()


def test_where_the_bound_is_measured_the_interval_of_the_margin_is_shown(references):
    claims = references["small"]["systems"]["toy"]["claims"]
    claims["rises"] |= {"margin": 0.21, "interval": [0.15, 0.26]}
    against_a_peer = [claim.model_copy(update={"expected": ">= peer.accuracy + 0.02"}) for claim in CLAIMS]
    page = result_page.page(references, "toy", against_a_peer)
    assert "holds: 0.99 (0.97 to 0.99), expected >= 0.78, margin 0.21 (0.15 to 0.26) |" in page
    for bound in (">= 0.78", "between -1 1.5"):
        with_a_number = [claim.model_copy(update={"expected": bound}) for claim in CLAIMS]
        assert "margin" not in result_page.page(references, "toy", with_a_number).split("| claim")[1]


def test_what_a_claim_needs_and_what_is_exact(references):
    claims = references["small"]["systems"]["toy"]["claims"]
    claims["at-scale"]["needs"] = "the ratings of 2010"
    claims["rises"] |= {"exact": True, "measured_interval": None}
    del claims["rises"]["interval"]
    page = result_page.page(references, "toy", CLAIMS)
    assert "| `at-scale`: At scale. | not run: needs the ratings of 2010 |" in page
    assert "| `rises`: It rises. | holds: 0.99, expected >= 0.78, exact |" in page


def test_a_range_is_shown_in_words():
    assert result_page.expectation("between 0.04 0.14") == "between 0.04 and 0.14"
    assert result_page.expectation("> 0") == "> 0"


def test_an_undecided_claim_says_what_would_decide_it(references):
    claims = references["small"]["systems"]["toy"]["claims"]
    claims["rises"] |= {"verdict": "undecided", "margin": 0.1, "interval": [-0.096, 0.296], "replicates": 200}
    page = result_page.page(references, "toy", CLAIMS)
    assert "expected >= 0.78, margin 0.1 (-0.096 to 0.296); 2.7 times the units would decide it |" in page
