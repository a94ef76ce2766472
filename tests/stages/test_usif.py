"""uSIF's stages on synthetic data; its published numbers and claims are the paper's and judge as they should."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import repline
import stages
from repline.evaluation.claims import judgement, published
from repline.vectors import store
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "usif"
PAPER = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
TABLES = {table["id"]: table["rows"] for table in PAPER["tables"]}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
WORDS = [f"w{number}" for number in range(200)]


def probes(**changes):
    training = {"hidden": 8, "learning_rate": 0.001, "l2": 0.0001, "batch": 16, "epochs": 1}
    return {"variants": ["average", "up"], "seeds": [0], "training": training | changes}


def verdicts(metrics, profile):
    return {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, profile, [metrics] * 2)}


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "sts": 80,  # 17 models on 5 tests, 5 cells empty
        "sts-benchmark": 15,
        "supervised": 44,  # 15 models on 3 tasks, 1 cell empty
        "ablation": 3,
        "improvements": 4,
        "constants": 4,
    }


def test_the_best_of_table_one_are_those_in_bold():
    best = {}
    for row in TABLES["sts"]:
        best.setdefault(row["column"], []).append((row["value"], row["item"]))
    assert {column: max(values) for column, values in best.items()} == {
        "STS 2012": (68.3, "ParaNMT+UP"),
        "STS 2013": (66.1, "ParaNMT+UP"),
        "STS 2014": (78.4, "ParaNMT+UP"),
        "STS 2015": (80.3, "ParaNMT Trigram-Word"),
        "SICK 2014": (73.5, "ParaNMT+UP"),
    }


def as_metrics():
    """The paper's numbers under the keys where ours are measured."""
    metrics = {}
    for table in ("sts", "sts-benchmark", "supervised"):
        for row in TABLES[table]:
            if "measured" in row:
                *path, last = row["measured"].split(".")
                values = metrics
                for name in path:
                    values = values.setdefault(name, {})
                values[last] = row["value"]
    return metrics


def test_the_papers_own_numbers_uphold_its_claims():
    judged = verdicts(as_metrics(), "paper")
    held = {name for name, verdict in judged.items() if verdict == "holds"}
    assert held == {
        "up-over-wr-2012",
        "up-over-wr-2013",
        "up-over-wr-2014",
        "up-over-wr-2015",
        "up-below-wr-benchmark",
        "paranmt-2012",
        "paranmt-2013",
        "paranmt-2014",
        "paranmt-2015",
        "paranmt-sick",
        "paranmt-benchmark",
        "probes-no-benefit-sst",
        "probes-no-benefit-sick-r",
        "probes-no-benefit-sick-e",
    }
    assert "fails" not in judged.values()


def test_rows_of_the_paper_are_measured_with_vectors_of_its_size_alone():
    assert set(as_metrics()) == {"published"}
    for claim in CLAIMS:
        assert (claim.needs is not None) == ("published" in f"{claim.measured} {claim.expected}")


@pytest.fixture
def workspace(tmp_path):
    rng = np.random.default_rng(0)
    sentences = [" ".join(rng.choice(WORDS, size=8)) for _ in range(40)]

    def raw(folder, **files):
        raw_folder = tmp_path / "data" / "raw" / folder
        raw_folder.mkdir(parents=True)
        names = []
        for name, text in files.items():
            name = name.replace("__", ".")
            (raw_folder / name).write_text(text)
            names.append({"name": name, "sha256": "00" * 32, "bytes": len(text)})
        (raw_folder / "card.json").write_text(json.dumps({"name": folder, "licence": "CC0", "files": names}))

    rated = [
        f"{a}\t{' '.join(a.split()[: number % 9] + b.split()[number % 9 :])}\t{number % 9}"
        for number, (a, b) in enumerate(pairwise(sentences))
    ]
    labelled = [f"{'odd' if number % 2 else 'even'}\t{text}" for number, text in enumerate(sentences)]
    sick = ["pair_ID\ta\tb\tr\te"] + [
        f"{number}\t{a}\t{b}\t{1 + number % 5}\t{('NEUTRAL', 'ENTAILMENT', 'CONTRADICTION')[number % 3]}"
        for number, (a, b) in enumerate(pairwise(sentences))
    ]
    raw(
        "pairs",
        mine__pairs__tsv="\n".join(rated),
        **{f"sick__{part}__txt": "\n".join(sick) for part in ("train", "trial", "test")},
    )
    raw("labelled", **{f"m__{part}__tsv": "\n".join(labelled) for part in ("train", "dev", "test")})
    raw("unigrams", c__txt="\n".join(f"{word} {10_000 // (1 + number)}" for number, word in enumerate(WORDS)))
    store.save(tmp_path / "data/vectors/made", WORDS, rng.normal(size=(200, 10)).astype(np.float32))
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    section = {
        "pairs": "raw/pairs",
        "labelled": "raw/labelled",
        "unigrams": "raw/unigrams",
        "vectors": "made",
        "kind": "glove",
        "length": None,
        "components": 5,
        "probes": probes(),
    }
    parameter_files.write(tmp_path, {"profile": "tiny", "usif": section})
    return tmp_path


def test_the_stages_go_from_raw_files_to_claims(workspace):
    run_steps(workspace, "usif.prepare", "usif.train average", "usif.train up", "usif.encoder", "usif.evaluate")
    assert repline.load(workspace / "data/models/usif_encoder").encode("w1 w2").shape == (10,)
    assert not list((workspace / "data/scratch").glob("usif-*"))
    evaluation = workspace / "data/evaluation/usif"
    metrics = json.loads((evaluation / "metrics.json").read_text())
    means = metrics["similarity"]["glove"]
    assert len(means) == 16
    assert means["average"]["mine"] > 50  # the score is how many words they share
    assert metrics["constants"]["length"] == 8
    assert metrics["constants_11"]["unigrams"]["length"] == 11
    assert "published" not in metrics  # the synthetic vectors have not 300 dimensions
    assert set(metrics["probes"]["glove"]) == {"m", "sick_e", "sick_r"}
    judged = json.loads((evaluation / "claims.json").read_text())
    assert {claim["verdict"] for claim in judged} == {"not run"}
    assert {path.name for path in evaluation.iterdir()} == {
        "metrics.json",
        "claims.json",
        "figures.json",
        "replicates.parquet",
        "plots",
    }
    before = {path: path.read_bytes() for path in evaluation.rglob("*.json")}
    assert run_command(workspace, "stages.usif.evaluate", fresh=True).returncode == 0
    assert before == {path: path.read_bytes() for path in evaluation.rglob("*.json")}


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("prepare", {"pairs": None}, "usif.pairs should be a valid string, found None"),
        ("prepare", {"pairs": "raw/absent"}, "data/raw/absent/card.json: no card"),
        ("train", {"componets": 5}, "unknown parameter 'usif.componets'; did you mean 'components'?"),
        ("train", {"kind": "word2vec"}, "usif.kind should be 'glove', 'psl' or 'paranmt', found 'word2vec'"),
        ("evaluate", {"length": 0}, "usif.length should be greater than or equal to 1, found 0"),
        (
            "train",
            {"probes": probes(learning_rate=0.0)},
            "usif.probes.training.learning_rate should be greater than 0, found 0.0",
        ),
        (
            "prepare",
            {"probes": probes(epochs=0)},
            "usif.probes.training.epochs should be greater than or equal to 1, found 0",
        ),
        (
            "prepare",
            {"probes": probes(hiden=3)},
            "unknown parameter 'usif.probes.training.hiden'; did you mean 'hidden'?",
        ),
        ("train", {"probes": probes() | {"variants": ["upp"]}}, "usif.probes.variants[0] should be 'average', 'tfidf'"),
        ("train up_unit", {}, "expected the name of a variant, one of: average, up"),
    ],
)
def test_a_mistake_is_one_sentence(workspace, name, changes, message):
    parameter_files.change(workspace, "usif", **changes)
    process = run_here(workspace, *f"stages.usif.{name}".split())
    assert process.returncode == 1
    assert message in process.stderr
    assert "Traceback" not in process.stderr
