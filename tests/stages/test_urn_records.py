"""URN's published numbers and claims: that they are the paper's, and that they judge known runs as they should."""

from pathlib import Path
from statistics import mean

import pytest

import stages
from repline.evaluation.claims import judgement, published

FOLDER = Path(stages.__file__).parent / "urn"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")

# a run of 20,480 strings and 20 epochs, seed 0
SMALL = {
    "dyck": {
        "turn": {
            "accuracy_by_attractors": [0.78, 0.73, 0.74, 0.79, 0.85, 0.89, 0.95, 0.96, 0.97, 0.99],
            "accuracy_by_depth": [0.99, 0.96, 0.99, 0.52, 0.52, 0.29, 0.29, 0.23, 0.23, 0.21],
            "pair_to_single_ratio": 0.13,
            "mismatched_to_single_ratio": 0.8,
            "open_close_effect_difference_largest": 0.01,
            "open_close_angle_difference": 2.0,
            "single_effect": 9.0,
            "untrained": {"single_effect": 0.25},
        },
        "arbitrary": {"accuracy_by_attractors": [0.98, 0.96, 0.92, 0.80, 0.64, 0.52, 0.45, 0.39, 0.35, 0.33]},
    }
}


def verdicts(metrics, profile="small"):
    seeds = [metrics, metrics]  # two that agree
    return {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, profile, seeds)}


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "dyck-loss": 2,
        "effects-of-words": 42,
        "distances-of-nouns": 45,
        "planes-of-round-and-square": 9,
        "effects-of-brackets": 15,
    }


def test_effects_ascend_as_printed():
    values = [row["value"] for row in TABLES["effects-of-words"]]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.22, 8.35)


def test_distances_have_the_means_of_the_paper():
    plurals = {"articles", "years", "areas", "worlds", "families"}
    groups = {0: [], 1: [], 2: []}
    for row in TABLES["distances-of-nouns"]:
        groups[(row["item"] in plurals) + (row["column"] in plurals)].append(row["value"])
    assert [len(groups[count]) for count in range(3)] == [10, 25, 10]
    assert mean(groups[0]) == pytest.approx(6.35, abs=0.005)
    assert mean(groups[2]) == pytest.approx(5.87, abs=0.005)
    assert mean(groups[1]) == pytest.approx(9.27, abs=0.005)
    assert mean(groups[0] + groups[2]) == pytest.approx(6.1, abs=0.05)


def test_a_matching_pair_has_less_than_half_a_per_cent_of_the_effect_of_a_symbol():
    rows = {row["item"]: row["value"] for row in TABLES["effects-of-brackets"]}
    singles = [value for item, value in rows.items() if len(item) == 1]
    pairs = [value for item, value in rows.items() if len(item) == 2]
    assert (len(singles), len(pairs)) == (10, 5)
    assert mean(pairs) / mean(singles) == pytest.approx(0.004, abs=0.0005)


def test_every_small_claim_holds_on_a_known_good_run():
    small = {claim.id for claim in CLAIMS if claim.scale == "small"}
    judged = verdicts(SMALL)
    assert {name for name, verdict in judged.items() if verdict == "holds"} == small
    assert {verdict for name, verdict in judged.items() if name not in small} == {"not run"}


@pytest.mark.parametrize(
    ("variant", "key", "value", "failing"),
    [
        ("turn", "pair_to_single_ratio", 0.21, {"dyck-pair-cancels", "dyck-pair-range"}),
        ("turn", "mismatched_to_single_ratio", 0.59, {"dyck-mismatch-stays"}),
        ("turn", "open_close_effect_difference_largest", 0.06, {"dyck-open-close-effect-each"}),
        ("turn", "open_close_angle_difference", 6.0, {"dyck-open-close-angles"}),
        ("turn", "single_effect", 0.26, {"dyck-open-close-angles"}),  # as in an untrained network
        (
            "turn",
            "pair_to_single_ratio",
            0.3,
            {"dyck-pair-cancels", "dyck-pair-range", "dyck-mismatch-stays"},
        ),
        (
            "turn",
            "accuracy_by_attractors",
            [0.8, 0.77, 0.76, 0.73, 0.69, 0.62, 0.57, 0.51, 0.48, 0.47],
            {"dyck-turn-deep", "dyck-turn-no-fall", "dyck-turn-improves"},
        ),
        (
            "arbitrary",
            "accuracy_by_attractors",
            [0.7, 0.73, 0.74, 0.79, 0.85, 0.89, 0.95, 0.96, 0.97, 0.99],
            {
                "dyck-turn-above-arbitrary",
                "dyck-arbitrary-starts-high",
                "dyck-arbitrary-half",
                "dyck-arbitrary-steady",
            },
        ),
    ],
)
def test_a_claim_that_misses_fails(variant, key, value, failing):
    metrics = {"dyck": {name: dict(values) for name, values in SMALL["dyck"].items()}}
    metrics["dyck"][variant][key] = value
    assert {name for name, verdict in verdicts(metrics).items() if verdict == "fails"} == failing


def test_the_papers_own_numbers_uphold_its_claims():
    words = {row["item"]: row["value"] for row in TABLES["effects-of-words"]}
    verbs = [words[word] for word in ("is", "are", "was", "were", "has", "have", "which")]
    irrelevant = [words[word] for word in (".", "the", "his", "its", "also", "their")]
    metrics = {
        "dyck": {"full_paper_rate": {"validation_loss": 1.47213}, "arbitrary": {"validation_loss": 1.52914}},
        "agreement": {
            "turn": {
                "effects": words,
                "effect_verbs": mean(verbs),
                "effect_irrelevant": mean(irrelevant),
                "distance_same_number": 6.1,
                "distance_different_number": 9.3,
                "accuracy_by_attractors": [0.995] * 7 + [1.0] * 6,
            }
        },
    }
    judged = verdicts(metrics, "paper")
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "dyck-full-loss",
        "agreement-number-clusters",
        "agreement-verbs-matter",
        "agreement-which-comma",
        "agreement-stop-determiner",
        "agreement-turn-error",
        "agreement-turn-no-drop",
        "agreement-turn-no-mistake",
    }
    assert "fails" not in judged.values()


def test_real_sentences_must_beat_the_majority():
    good = {"agreement": {"turn": {"accuracy": 0.78}, "majority": {"accuracy": 0.635}}}
    bad = {"agreement": {"turn": {"accuracy": 0.63}, "majority": {"accuracy": 0.635}}}
    assert verdicts(good, "real")["agreement-turn-beats-majority"] == "holds"
    assert verdicts(good, "real")["agreement-turn-small-corpus"] == "holds"
    assert verdicts(bad, "real")["agreement-turn-beats-majority"] == "fails"
    assert verdicts(good, "small")["agreement-turn-beats-majority"] == "not run"
