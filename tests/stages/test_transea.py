"""TransEA: the paper's records are whole, and the steps run on a person's own graph by parameters alone."""

import json
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.evaluation.claims import judgement, published
from repline.graphs.rank_measures import lowest_reciprocal_rank
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps
from tests.stages.parameter_files import change

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "transea"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
PARAMETERS = parameter_files.shared()
VARIANTS = ("transe", "transea", "transea_zero")


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "datasets": 16,
        "link-prediction-mean-rank-yg58k": 12,
        "link-prediction-mean-rank-fb15k": 12,
        "link-prediction-shares-yg58k": 48,
        "link-prediction-shares-fb15k": 48,
        "categories": 32,
        "relations-yg58k": 10,
        "relations-fb15k": 10,
    }


def shares():
    """Table 2 as shares, by data set and row: {column: value}."""
    rows = {}
    for name in ("yg58k", "fb15k"):
        for row in TABLES[f"link-prediction-shares-{name}"]:
            rows.setdefault((name, row["item"]), {})[row["column"]] = row["value"] / 100
    return rows


def test_the_overall_numbers_are_the_means_of_both_sides():
    for table in ("mean-rank", "shares"):
        for name in ("yg58k", "fb15k"):
            values = {(row["item"], row["column"]): row["value"] for row in TABLES[f"link-prediction-{table}-{name}"]}
            for (item, column), value in values.items():
                if item.startswith("all"):
                    mean = np.mean([values[item.replace("all", side), column] for side in ("head", "tail")])
                    assert abs(mean - value) <= (0.5 if table == "mean-rank" else 0.1)


def test_the_papers_hits_at_k_are_hits_at_k_plus_one():
    """An MRR of 0.267 cannot go with 33.1 % at rank 1; read as ranks up to 2, 4 and 11 every row is possible."""
    impossible = set()
    for (name, item), row in shares().items():
        for protocol in ("raw", "filtered"):
            first, third, tenth = (row[f"H@{k}, {protocol}"] for k in (1, 3, 10))
            mrr = row[f"MRR, {protocol}"]
            if mrr < lowest_reciprocal_rank([first, third, tenth]) - 0.001:
                impossible.add((name, item, protocol))
            assert mrr >= first / 2 + (third - first) / 4 + (tenth - third) / 11 - 0.001
    for item in ("head, TransE", "head, TransEA", "tail, TransE", "tail, TransEA", "all, TransE", "all, TransEA"):
        assert ("fb15k", item, "filtered") in impossible
    assert lowest_reciprocal_rank([0.331, 0.557, 0.719]) == pytest.approx(0.4225, abs=0.0001)


def as_metrics():
    """The paper's own numbers in the places where ours are looked for."""
    metrics = {}
    for rows in TABLES.values():
        for row in rows:
            if "measured" not in row or "categories" in row["measured"]:
                continue
            path = row["measured"].removeprefix("100 * ").split(".")
            branch = metrics
            for name in path[:-1]:
                branch = branch.setdefault(name, {})
            branch[path[-1]] = row["value"] / (100 if row["measured"].startswith("100") else 1)
    for row in TABLES["categories"]:
        if row["column"] == "head, 1-N":
            side = metrics["yg58k" if row["dataset"] == "YG58K" else "fb15k"][row["variant"]]
            side["categories"] = {"1-N": {"head": {"paper_hits_10": row["value"] / 100}}}
    return metrics


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = as_metrics()
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    of_the_paper = {claim.id for claim in CLAIMS if claim.id.startswith("paper-")}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == of_the_paper
    assert "fails" not in judged.values()
    assert {claim.id for claim in CLAIMS if claim.needs} == {name for name in of_the_paper if "fb15k-" not in name}


@pytest.fixture
def workspace(tmp_path):
    """A ring of places with neighbours, and a number of each place, as a person's own files."""
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    folder = tmp_path / "data" / "mine"
    folder.mkdir(parents=True)
    n = 40
    lines = [f"p{i}\t{name}\tp{(i + step) % n}" for i in range(n) for step, name in ((1, "next"), (2, "second"))]
    (folder / "triples.tsv").write_text("\n".join(lines))
    (folder / "numbers.tsv").write_text("\n".join(f"p{i}\tmetres\t{i * i}" for i in range(n)))
    training = PARAMETERS["transea"]["training"] | {"epochs": 20, "dimensions": 8, "batches": 4, "check_every": 5}
    split = {"held_out": 0.2, "validation": 0.25, "seed": 0}
    mine = {"place": "mine", "logarithms": ["metres"], "numbers_held_out": 0.2, "split": split}
    transea = {"seeds": [0, 1], "training": training, "variants": PARAMETERS["transea"]["variants"]}
    trainings = {variant: {"graph": "mine", "variant": variant} for variant in VARIANTS}
    transea |= {"graphs": {"mine": {}}, "trainings": trainings}
    values = {"profile": "tiny", "knowledge_graphs": {"mine": mine}, "transea": transea}
    parameter_files.write(tmp_path, values)
    return tmp_path


def test_the_steps_go_from_a_persons_files_to_claims(workspace):
    trainings = [f"transea.train {variant}" for variant in VARIANTS]
    again = (*trainings, "transea.measure_graph mine", "transea.evaluate")
    run_steps(workspace, "knowledge_graphs.prepare mine", *again)
    evaluation = workspace / "data/evaluation/transea"
    metrics = json.loads((evaluation / "metrics.json").read_text())["mine"]
    assert metrics["graph"]["triples"] == 80 and metrics["graph"]["numbers_test"] == 8
    assert set(metrics) == {"graph", "medians", *VARIANTS}
    both = metrics["transea"]["filtered"]
    for measure, value in both["all"].items():
        assert value == pytest.approx((both["head"][measure] + both["tail"][measure]) / 2, rel=1e-12)
    assert 1 <= both["all"]["mr"] <= metrics["transea"]["raw"]["all"]["mr"] <= 40
    assert metrics["transea"]["train_mae"] < metrics["transea_zero"]["train_mae"]
    assert "train_mae" not in metrics["transe"] and len(metrics["transe"]["runs_mr"]) == 2
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    before = {path: path.read_bytes() for path in evaluation.rglob("*.json")}
    run_steps(workspace, *again)
    assert before == {path: path.read_bytes() for path in evaluation.rglob("*.json")}


def test_mistakes_are_one_sentence_and_leave_nothing(workspace):
    change(workspace, "knowledge_graphs.mine", logarithms=["meters"])
    completed = run_here(workspace, "stages.knowledge_graphs.prepare", "mine")
    assert completed.returncode == 1 and "Traceback" not in completed.stderr
    assert (
        "knowledge_graphs.mine.logarithms: there is no attribute 'meters'; did you mean 'metres'?" in completed.stderr
    )
    assert not (workspace / "data/corpora").exists() or not list((workspace / "data/corpora").iterdir())
    completed = run_here(workspace, "stages.knowledge_graphs.prepare", "yours")
    assert "expected the name of a graph, one of: mine" in completed.stderr
    completed = run_here(workspace, "stages.transea.train", "transea")
    assert "there is no knowledge graph; run" in completed.stderr and "Traceback" not in completed.stderr
    change(workspace, "knowledge_graphs.mine", logarithms=[])
    assert run_here(workspace, "stages.knowledge_graphs.prepare", "mine").returncode == 0
    change(workspace, "transea.training", learning_rate=1e30, unit_length=[], norm="squared")
    change(workspace, "transea.variants", transea={})
    completed = run_here(workspace, "stages.transea.train", "transea")
    assert (
        completed.returncode == 1
        and "the training diverged" in completed.stderr
        and "Traceback" not in completed.stderr
    )
    assert not list((workspace / "data/models").rglob("*.safetensors"))
    completed = run_here(workspace, "stages.transea.evaluate")
    assert completed.returncode == 1 and "run `python -m stages.transea.measure_graph mine`" in completed.stderr
