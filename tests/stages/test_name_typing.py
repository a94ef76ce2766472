"""Name typing: the paper's records are whole, and the steps run on a person's own names by parameters alone."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stages
from repline.corpora.parquet import sentence_schema
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.systems.name_typing import settings
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps
from tests.stages.published_numbers import percent_as_metrics

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "name_typing"
RECORD = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
TABLES = {table["id"]: table["rows"] for table in RECORD["tables"]}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
PARAMETERS = parameter_files.shared()


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {"data-set": 11, "results": 16}


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = percent_as_metrics(TABLES["results"])
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert "fails" not in judged.values() and "undecided" not in judged.values()
    held = {name for name, verdict in judged.items() if verdict == "holds"}
    paper = {claim.id for claim in CLAIMS if claim.scale == "paper"}
    assert held == paper - {"cbow-below-cwin-few", "cbow-above-cwin-many"}  # of a figure without numbers


@pytest.fixture
def workspace(tmp_path):
    """Names of three types, whose vectors say which, and a corpus, as a person's own files."""
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    data, rng = tmp_path / "data", np.random.default_rng(0)
    kinds = ["/person", "/location", "/location /location/city"]
    kind_of_name = np.arange(240) % 3
    raw = data / "raw/mine"
    raw.mkdir(parents=True)
    (raw / "types.tsv").write_text("/person\t9\n/location\t8\n/location/city\t7")
    for split, start, end in (("train", 0, 120), ("dev", 120, 180), ("test", 180, 240)):
        (raw / f"{split}.tsv").write_text("\n".join(f"name{i}\t{kinds[kind_of_name[i]]}" for i in range(start, end)))
    (data / "raw/words").mkdir()
    (data / "raw/words/counts.txt").write_text("the 5\n")
    vectors = rng.normal(scale=0.3, size=(230, 6)).astype(np.float32)
    vectors[np.arange(230), kind_of_name[:230]] += 2
    store.save(data / "vectors/mine", [f"Name{i}" for i in range(230)], vectors)
    (data / "corpora/mine").mkdir(parents=True)
    words = [[f"name{rng.integers(240)}" for _ in range(8)] for _ in range(200)]
    rows = {"doc_id": ["a"] * 200, "sentence_id": list(range(200)), "tokens": words}
    pq.write_table(pa.table(rows, schema=sentence_schema()), data / "corpora/mine/part-00000.parquet")
    small = {"hidden": [8], "epochs": 15, "batch": 20, "learning_rate": 0.01}
    section = PARAMETERS["name_typing"] | {"labels": "corpora/labels", "least_group": 5}
    section["classifiers"] = section["classifiers"] | {"mlp": small, "mlp_shared": small}
    section["embeddings"] = section["embeddings"] | {"corpus": "corpora/mine"}
    section["embeddings"]["training"] = section["embeddings"]["training"] | {
        "dimensions": 4,
        "epochs": 1,
        "minimum_count": 1,
    }
    section["spaces"] = {
        "mine": {"vectors": "vectors/mine", "controls": ["permuted"]},
        "cwin": {"vectors": "vectors/name_typing-cwin"},
    }
    labels = {"labels": {"source": "raw/mine", "frequencies": "raw/words"}}
    values = {"profile": "tiny", "name_types": PARAMETERS["name_types"] | {"labels": labels}, "name_typing": section}
    parameter_files.write(tmp_path, values)
    return tmp_path


def test_the_steps_go_from_a_persons_files_to_claims(workspace):
    classifiers = ("lr", "mlp", "mlp_shared")
    again = ("name_typing.prepare mine", *(f"name_typing.train mine {kind}" for kind in classifiers))
    again += ("name_typing.evaluate",)
    of_cwin = ("name_typing.train_vectors cwin", "name_typing.prepare cwin")
    of_cwin += tuple(f"name_typing.train cwin {kind}" for kind in classifiers)
    run_steps(workspace, "name_types.labels labels", *of_cwin, *again)
    evaluation = workspace / "data/evaluation/name_typing"
    metrics = json.loads((evaluation / "metrics.json").read_text())
    assert metrics["label_sets"]["labels"]["test"]["names"] == 60
    assert metrics["mine"]["names"]["test"] == {"names": 60, "covered": 50, "mean_types": 4 / 3, "unseen_types": 0}
    for kind in ("lr", "mlp", "mlp_shared"):
        scores = metrics["mine"]["given"][kind]["half"]
        assert scores["f1"] > 0.9 > metrics["mine"]["permuted"][kind]["half"]["f1"]
        assert scores["all_names"]["acc"] == pytest.approx(scores["acc"] * 50 / 60)
        assert set(scores["by_types"]) == {"1", "2"}
    assert metrics["constants"]["majority"]["f1"] < metrics["mine"]["given"]["lr"]["half"]["f1"]
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    before = {path: path.read_bytes() for path in evaluation.rglob("*.json")}
    run_steps(workspace, *again)
    assert before == {path: path.read_bytes() for path in evaluation.rglob("*.json")}


def test_mistakes_are_one_sentence(workspace):
    finished = run_here(workspace, "stages.name_types.labels", "yours")
    assert finished.returncode == 1 and "expected the name of a label set, one of: labels" in finished.stderr
    finished = run_here(workspace, "stages.name_types.extract", "yours")
    assert finished.returncode == 1 and "expected the name of a dump, one of: none is named" in finished.stderr
    finished = run_here(workspace, "stages.name_typing.prepare", "yours")
    assert finished.returncode == 1 and "expected a space of name_typing.spaces, one of: " in finished.stderr
    finished = run_here(workspace, "stages.name_typing.prepare", "mine")
    assert finished.returncode == 1 and "this is no label set" in finished.stderr and "Traceback" not in finished.stderr
    finished = run_here(workspace, "stages.name_typing.train", "mine", "mpl")
    assert finished.returncode == 1 and "the name of a classifier, found 'mpl'; did you mean 'mlp'?" in finished.stderr
    finished = run_here(workspace, "stages.name_typing.train", "mine", "mlp")
    assert finished.returncode == 1 and "run `python -m stages.name_typing.prepare mine`" in finished.stderr
    assert not (workspace / "data/models").exists() or not list((workspace / "data/models").rglob("*.safetensors"))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("embeddings", "models", "skip"),
            {"architecture": "skap"},
            "models.skip.architecture should be 'skip-gram' or 'cbow', found 'skap'",
        ),
        (("embeddings", "models", "skip"), {"dimension": 5}, "unknown parameter .*dimension"),
        (
            ("embeddings", "models", "cwin"),
            {"window": 0},
            "window should be greater than or equal to 1",
        ),
        (("spaces",), {"label_sets": {"vectors": "x"}}, "a space should have another name than label_sets"),
        (("spaces", "glove"), {"vectors": "x", "controls": ["shuffled"]}, "controls"),
        (("classifiers", "lr"), {"l2": [0]}, "greater than 0"),
        (("classifiers", "mlp", "hidden"), [], "at least 1 item"),
    ],
)
def test_wrong_parameters_are_told(path, value, message):
    values = parameter_files.shared()
    inner = values["name_typing"]
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    with pytest.raises(InputError, match=message):
        settings.load(values)
