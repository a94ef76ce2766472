import json

import pytest
import yaml

from repline.errors import InputError
from repline.report.content import describe
from tests.report.toy_system import PARAMETERS


def described(project, systems=("toy", "waiting"), parameters=PARAMETERS):
    return describe(list(systems), parameters, project / "stages", project / "data")


def test_published_stands_beside_measured(project):
    toy = described(project)["systems"][0]
    rows = toy["tables"][0]["rows"]
    assert [(row["value"], row["measured"]) for row in rows] == [(1.47213, 1.857), (1.5, None)]
    assert rows[0]["difference"] == pytest.approx(0.38487)
    assert toy["headline"] == {
        "label": "accuracy at 2",
        "comparator": "that at 0",
        "claim": "rises",
        "verdict": "holds",
        "value": 0.99,
        "interval": [0.97, 0.99],
        "replicates": 3,
        "shown": "99.0%",
        "shown_interval": ["97.0%", "99.0%"],
    }
    assert rows[0]["interval"] == pytest.approx([1.897, 1.899])
    assert rows[1]["interval"] is None


def test_verdicts_are_counted(project):
    report = described(project)
    assert [claim["verdict"] for claim in report["systems"][0]["claims"]] == ["holds", "fails", "not run"]
    assert report["systems"][0]["verdicts"] == {"holds": 1, "fails": 1, "undecided": 0, "not run": 1}
    assert report["verdicts"] == {"holds": 1, "fails": 1, "undecided": 0, "not run": 4}


def test_a_system_without_an_evaluation_is_not_run(project):
    waiting = described(project)["systems"][1]
    assert waiting["evaluated"] is False
    assert waiting["headline"]["value"] is None
    assert {claim["verdict"] for claim in waiting["claims"]} == {"not run"}
    assert [claim["reason"] for claim in waiting["claims"]] == [
        "not evaluated yet",
        "not evaluated yet",
        "judged at the paper profile; this is small",
    ]


def test_a_claim_newer_than_the_evaluation_is_not_run(project):
    path = project / "data/evaluation/toy/claims.json"
    path.write_text(json.dumps(json.loads(path.read_text())[1:]))
    claims = described(project)["systems"][0]["claims"]
    assert [claim["id"] for claim in claims] == ["rises", "low-loss", "at-scale"]
    assert claims[0]["verdict"] == "not run"
    assert "older" in claims[0]["reason"]


def test_a_missing_corpus_is_named_without_a_card(project):
    (project / "data/corpora/strings/card.json").unlink()
    assert described(project)["corpora"] == [{"name": "strings", "card": None}]


def test_paths_do_not_name_the_machine(project):
    assert str(project) not in json.dumps(described(project))
    assert described(project)["systems"][0]["files"][-1]["path"] == "data/evaluation/toy/claims.json"


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("data/evaluation/toy/metrics.json", '{"a": NaN}', r"metrics\.json: expected JSON without NaN"),
        ("data/evaluation/toy/metrics.json", '{"a": 1', r"metrics\.json: expected JSON"),
        ("data/evaluation/toy/metrics.json", "[]", "expected a mapping, found list"),
        ("data/evaluation/toy/claims.json", "{}", "expected a list of claims, found dict"),
        ("data/evaluation/toy/claims.json", '[{"id": "a"}]', "claim 1: text is missing"),
        (
            "data/evaluation/toy/claims.json",
            '[{"id": "a", "text": "b", "scale": "small", "verdict": "maybe", "expected": "> 1"}]',
            "verdict 'maybe'",
        ),
        ("data/evaluation/toy/figures.json", '[{"id": "a"}]', "figure 1: title is missing"),
        (
            "data/evaluation/toy/figures.json",
            '[{"id": "a", "title": "b", "caption": "c", "figure": {"data": []}}]',
            "figure 'a': layout is missing",
        ),
    ],
)
def test_a_broken_record_is_one_sentence(project, path, content, message):
    (project / path).write_text(content)
    with pytest.raises(InputError, match=message):
        described(project)


def test_a_statement_names_claims_that_exist(project):
    path = project / "stages/toy/published.yaml"
    record = yaml.safe_load(path.read_text())
    record["statements"][0]["claims"] = ["gone"]
    path.write_text(yaml.safe_dump(record))
    with pytest.raises(InputError, match="names claim 'gone'"):
        described(project)


def test_no_system_is_an_error(project):
    with pytest.raises(InputError, match="nothing to report"):
        described(project, systems=())
