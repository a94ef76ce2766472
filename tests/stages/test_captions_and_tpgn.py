"""tpgn: stages run on a user's captions, from a table to claims; published numbers are complete."""

import json

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.parameters import merge
from repline.parameters import read as read_parameters
from repline.systems.tpgn.settings import load
from tests.commands import ROOT
from tests.corpora.captions.small_captions import table
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = ROOT / "stages" / "tpgn"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
TABLES = {table["id"]: table["rows"] for table in PUBLISHED["tables"]}
CLAIMS = {claim.id: claim for claim in judgement.read(FOLDER / "claims.yaml")}


def test_tables_are_whole():
    sizes = {name: len(rows) for name, rows in TABLES.items()}
    assert sizes == {"coco": 18, "two-clusters": 24, "ten-clusters": 21, "projected": 4, "regions": 1}
    assert {name for statement in PUBLISHED["statements"] for name in statement["claims"]} <= set(CLAIMS)


def test_the_share_of_nouns_is_misprinted():
    values = {(row["item"], row["column"]): row["value"] for row in TABLES["two-clusters"]}
    wrong = []
    for item in {item for item, _ in values}:
        share = values[item, "conforming"] / values[item, "words"]
        if abs(share - values[item, "share"]) > 0.0006:
            wrong.append((item, round(share, 3)))
    assert wrong == [("nouns", 0.966)]
    totals = [sum(values[item, column] for item in {item for item, _ in values}) for column in ("words", "conforming")]
    assert totals == [39488, 37939]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("tpgn")
    table(root / "data/own", captions=5)
    values = merge(parameter_files.shared(), read_parameters(ROOT / "profiles/tiny.yaml"))
    values |= {"profile": "tiny"}
    values["captions"] = {"corpora": {"mine": {"source": "own", "form": "table", "features": "given"}}}
    values["tpgn"] |= {"captions": "corpora/mine", "vectors": "vectors/none", "minimum_count": 1, "longest": 5}
    values["tpgn"]["analysis"] = {"pictures": 6}
    values["hardware"] |= {"accelerator": "cpu"}
    parameter_files.write(root, values, "captions", "tpgn", "hardware")
    (root / "stages").symlink_to(ROOT / "stages")
    return root


def test_from_a_table_to_claims(workspace):
    trained = [f"tpgn.train {name}" for name in ("tpgn", "lstm", "tpgn_tied")]
    run_steps(workspace, "captions.read mine", *trained, "tpgn.evaluate")
    folder = workspace / "data/evaluation/tpgn"
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["captions"]["pictures"] == 10 and metrics["captions"]["features"] == 3
    for name in ("tpgn", "lstm", "tpgn_tied"):
        greedy, perplexity = metrics[name]["fixed"]["greedy"], metrics[name]["perplexity"]
        assert 0 <= greedy["bleu_4"] <= greedy["bleu_1"] <= 1
        assert perplexity["stopped"] <= perplexity["fixed"]
    assert metrics["constant"]["distinct"] == 1
    verdicts = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in verdicts} == {"not run"}
    assert len(json.loads((folder / "figures.json").read_text(encoding="utf-8"))) == 6


def test_mistakes_are_one_sentence_and_leave_nothing(workspace, tmp_path):
    source = tmp_path / "data/own"
    table(source)
    features = np.load(source / "features.npy")
    features[2, 0] = np.nan
    np.save(source / "features.npy", features)
    (tmp_path / "params.yaml").write_text((workspace / "params.yaml").read_text())
    for arguments, message in (
        (["mine"], "row 3 ('p7.jpg'): expected numbers, found NaN"),
        (["yours"], "expected the name"),
    ):
        result = run_here(tmp_path, "stages.captions.read", *arguments)
        assert result.returncode == 1 and message in result.stderr and "Traceback" not in result.stderr
    assert not (tmp_path / "data/corpora").exists() or not any((tmp_path / "data/corpora").iterdir())
    result = run_here(tmp_path, "stages.tpgn.train", "tpgn")
    assert (
        result.returncode == 1 and "expected a corpus of captions" in result.stderr and "Traceback" not in result.stderr
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 3}, "unknown parameter 'tpgn.seed'; did you mean 'seeds'?"),
        ({"training": {"fixed_epochs": 99}}, "tpgn.training: fixed_epochs should be at most epochs"),
        ({"models": {"tpgn": {"kind": "tpgn", "dimensions": 4}}}, "tpgn: models: lstm missing; the claims"),
        ({"models": {"tpgn": {"kind": "gru", "dimensions": 4}}}, "tpgn.models.tpgn.kind should be"),
        ({"models": {"tpgn-1": {"kind": "tpgn", "dimensions": 4}}}, "a name should be a word like"),
    ],
)
def test_a_mistake_in_the_parameters(changes, message):
    values = parameter_files.shared()
    section = values["tpgn"]
    for key, value in changes.items():
        section[key] = section[key] | value if key == "training" else value
    with pytest.raises(InputError, match=message):
        load(values)
