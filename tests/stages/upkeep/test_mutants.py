"""The command on an evaluation of a small project."""

import json

import pytest

from repline.evaluation.replication import replicate_files
from stages.upkeep import mutants

PUBLISHED = """
system:
  title: Toy
  summary: A toy.
  headline: {label: the LSTM above the GRU, comparator: the GRU, claim: above, format: .2f, chance: 0.5}
paper: {title: Toys, authors: Ann Author, venue: ACL, year: 2018, url: "https://aclanthology.org/W18-3000/"}
tables: []
"""
ABOVE = {"id": "above", "text": "a", "scale": "small", "measured": "lstm.accuracy - gru.accuracy", "expected": "> 0"}
CERTAIN = {"id": "certain", "text": "b", "scale": "small", "measured": "lstm.accuracy", "expected": "<= 1"}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("stages/toy", "data/evaluation/toy"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "params.yaml").write_text("profile: small\n")
    (tmp_path / "stages/toy/published.yaml").write_text(PUBLISHED)
    metrics = {"lstm": {"accuracy": 0.9}, "gru": {"accuracy": 0.8}}
    (tmp_path / "data/evaluation/toy/metrics.json").write_text(json.dumps(metrics))
    replicate_files.write(tmp_path / "data/evaluation/toy/replicates.parquet", [metrics] * 3)

    def with_claims(*claims):
        (tmp_path / "stages/toy/claims.yaml").write_text(json.dumps(claims))

    return with_claims


def test_a_table_of_claims_and_what_moves_them(project, capsys):
    project(ABOVE)
    assert mutants.main(["toy"]) == 0
    out = capsys.readouterr().out
    assert "fails: lstm.accuracy <-> gru.accuracy" in out
    assert "1 claims judged" in out and "0 cannot fail" in out


def test_each_mutant_with_its_verdict(project, capsys):
    project(ABOVE)
    mutants.main(["--each"])
    assert "fails      levelled  lstm.accuracy := 0.5" in capsys.readouterr().out


def test_a_claim_that_cannot_fail_is_named_and_is_an_error(project, capsys):
    project(ABOVE, CERTAIN)
    assert mutants.main(["toy"]) == 1
    assert "CANNOT FAIL: holds by each of its" in capsys.readouterr().out


def test_a_claim_that_fails_has_shown_that_it_can(project):
    project({**CERTAIN, "expected": "> 1"})
    assert mutants.main(["toy"]) == 0


def test_a_system_that_was_not_evaluated(project):
    with pytest.raises(mutants.InputError, match="no such file"):
        mutants.main(["elsewhere"])
