"""HRRLM's published numbers are whole and agree with each other, and its claims judge them as they should."""

from pathlib import Path

import numpy as np
import pytest

import stages
from repline.evaluation.claims import judgement, published

FOLDER = Path(stages.__file__).parent / "hrrlm"


def test_the_paper_is_told_whole():
    record = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
    tables = {table["id"]: table["rows"] for table in record["tables"]}
    assert {name: len(rows) for name, rows in tables.items()} == {
        "perplexity": 16,
        "chunk-perplexity": 2,
        "intrinsic": 9,
        "extrinsic": 9,
        "analogies": 12,
        "decomposition": 6,
        "clusters": 10,
        "chunk-roles": 10,
        "intrinsic-tests": 22 * 9,
        "analogy-sections": 14 * 3,
    }
    claim_ids = {claim.id for claim in judgement.read(FOLDER / "claims.yaml")}
    assert {claim for statement in record["statements"] for claim in statement["claims"]} <= claim_ids


def test_means_of_table_7_are_those_of_its_rows():
    tables = {
        table["id"]: table["rows"]
        for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
    }
    cells = {(row["item"], row["column"]): row["value"] for row in tables["intrinsic-tests"]}
    items = list(dict.fromkeys(item for item, _ in cells))
    groups = {"category": items[:6], "similarity": items[6:15], "analogy": items[15:18], "overall": items[:18]}
    wrong = {
        (name, column)
        for name, members in groups.items()
        for column in dict.fromkeys(column for _, column in cells)
        if abs(np.mean([cells[item, column] for item in members]) - cells[name, column]) > 0.0025
    }
    assert wrong == {("analogy", "1B Fixed-HRR")}
    correct = {
        variant: sum(row["value"] for row in tables["analogy-sections"] if row["column"] == f"{variant} correct")
        for variant in ("Isometric-big", "Baseline")
    }
    questions = sum(row["value"] for row in tables["analogy-sections"] if row["column"] == "questions")
    assert questions == 19013
    assert correct["Isometric-big"] / questions == pytest.approx(0.660, abs=0.0006)
    assert correct["Baseline"] / questions == pytest.approx(0.312, abs=0.0006)


def test_the_papers_own_numbers_uphold_its_claims():
    def space(syntactic, semantic):
        return {"syntactic": syntactic, "semantic": semantic}

    tied = {"decomposition": {"composite": space(0.842, 0.670)}, "intrinsic_mean": 0.427}
    isometric = {
        "decomposition": {"filler_1": space(0.912, 0.873), "filler_2": space(0.840, 0.975)},
        "intrinsic_mean": 0.589,
        "extrinsic_mean": 0.822,
    }
    metrics = {
        "words": {"tied_converged": tied | {"extrinsic_mean": 0.816}, "isometric_converged": isometric},
        "one_billion": {"isometric": 55.9, "fixed": 57.9},
        "chunks": {f"filler_{i + 1}": {"hit_rate_at_1": (0.604, 0.572)[i], "purity": (0.677, 0.61)[i]} for i in (0, 1)},
    }
    judged = {
        claim.id: claim.verdict
        for claim in judgement.check(judgement.read(FOLDER / "claims.yaml"), metrics, "paper", [metrics, metrics])
    }
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "decomposition-syntactic-full",
        "decomposition-semantic-full",
        "intrinsic-isometric",
        "extrinsic-isometric",
        "bases-isometric",
        "chunk-hits",
        "chunk-purity",
    }
    assert "fails" not in judged.values()


# the small run of Penn Treebank text that the claims were written for: 400,000 tokens, two epochs
PENN = {
    "isometric": {"margins": {"syntactic": 0.208, "semantic": 0.247}, "validation_perplexity": 130.3},
    "no_annealing": {"margins": {"syntactic": -0.037, "semantic": -0.043}},
    "tied": {"validation_perplexity": 156.8},
    "isometric_converged": {"test_perplexity": 150.0},
    "tied_converged": {"test_perplexity": 156.8},
    "fixed_converged": {"test_perplexity": 154.0},
    "fixed_medium_converged": {"test_perplexity": 160.0},
    "fixed_small_converged": {"test_perplexity": 190.0},
}


def test_claims_hold_and_fail_as_they_should():
    listed = judgement.read(FOLDER / "claims.yaml")

    def judged(profile="small", **changes):
        metrics = {"words": {name: numbers | changes.get(name, {}) for name, numbers in PENN.items()}}
        claims = judgement.check(listed, metrics, profile, [metrics, metrics])
        return {claim.id: claim.verdict for claim in claims}

    holding = {name for name, verdict in judged().items() if verdict == "holds"}
    assert holding == {claim.id for claim in listed if claim.scale == "small"}
    for change, failing in (
        ({"isometric": {"margins": {"syntactic": 0.05, "semantic": 0.2}}}, {"decomposition-syntactic"}),
        ({"isometric": {"margins": {"syntactic": 0.2, "semantic": -0.2}}}, {"decomposition-semantic"}),
        ({"no_annealing": {"margins": {"syntactic": 0.3, "semantic": 0.0}}}, {"ablation-syntactic"}),
        ({"isometric": {"validation_perplexity": 157.0}}, {"perplexity-isometric"}),
        ({"isometric_converged": {"test_perplexity": 157.0}}, {"perplexity-isometric-converged"}),
    ):
        assert {name for name, verdict in judged(**change).items() if verdict == "fails"} == failing
    for change, failing in (
        ({"fixed_converged": {"test_perplexity": 158.0}}, {"perplexity-fixed"}),
        ({"fixed_medium_converged": {"test_perplexity": 150.0}}, {"perplexity-width-big"}),
        ({"fixed_small_converged": {"test_perplexity": 159.0}}, {"perplexity-width-medium"}),
    ):
        assert {name for name, verdict in judged("real", **change).items() if verdict == "fails"} == failing
