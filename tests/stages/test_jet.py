"""jet: published numbers are complete; the stages run on a user's terminology and text by parameters alone."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.systems.jet.settings import load
from repline.vectors import store
from tests.commands import ROOT
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = ROOT / "stages" / "jet"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = {claim.id: claim for claim in judgement.read(FOLDER / "claims.yaml")}
MODELS = {
    "mine": {"terminology": "mine", "seeds": [0, 1]},
    "alone": {"terminology": "mine", "terms": False, "entities": False},
    "dealt": {"terminology": "mine", "permuted": "entities"},
}


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "terminologies": 22,
        "corpora": 18,
        "umnsrs": 26,
        "wikisrs": 26,
        "bmass": 15,
        "google": 25,
        "msh-wsd": 9,
        "aida": 5,
        "raters": 14,
    }


def test_table_1_misses_some_terms_of_wikipedia():
    values = {row["item"]: row["value"] for row in TABLES["terminologies"] if row["column"] == "Wikipedia"}
    binned = sum(value for item, value in values.items() if item.startswith("terms with"))
    assert values["terms"] - binned == 299


def test_the_mean_polysemy_of_wikipedia_is_impossible():
    values = {(row["column"], row["item"]): row["value"] for row in TABLES["corpora"]}
    once, twice = (values["Wikipedia", f"entities with CP >= {least}, %"] / 100 for least in (1, 2))
    assert once - twice + 2 * twice > values["Wikipedia", "mean corpus polysemy"]


def test_every_claim_of_the_paper_is_there():
    assert {"class-agreement", "entity-and-word-on-wikisrs", "entities-on-umnsrs", "newswire-is-enough"} <= set(CLAIMS)
    assert {"msh-wsd-order", "aida-below-mpme", "joint-training-and-analogies"} <= set(CLAIMS)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("jet")
    source = root / "data/own"
    (source / "text").mkdir(parents=True)
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(300):
        topic = ("fish", "band")[rng.integers(2)]
        words = [f"{topic}word{number}" for number in rng.integers(8, size=6)]
        rows.append([*words[:3], rng.choice(["Bass", "perch" if topic == "fish" else "drum"]), *words[3:]])
    pq.write_table(pa.table({"tokens": rows}), source / "text/part-00000.parquet")
    (source / "terms.tsv").write_text(
        "bass\tfish_1\tanimal\ta fish\nperch\tfish_1\tanimal\nbass\tband_1\tmusic\tan instrument\ndrum\tband_1\tmusic\n"
        "perch\tfish_2\tanimal\ndrum\tband_2\tmusic\n"
    )
    (source / "instances.tsv").write_text("bass\tfish_1\tfishword1 fishword2\nwrong\nbass\tband_1\tbandword1\n")
    pairs = (
        "a\tb\tBass\tperch\t9\t0\t[]\nfish_1\tfish_2\tperch\tBass\t7\t0\t[]\nfish_1\tband_1\tperch\tdrum\t1\t0\t[]\n"
        "fish_1\tband_1\tperch\tdrum\tmuch\t0\t[]\n"
    )
    (source / "pairs.csv").write_text("Term1\tTerm2\tString1\tString2\tMean\tStdDev\tRawScores\n" + pairs)
    (source / "analogies.txt").write_text(": words\nfishword1 fishword2 bandword1 bandword2\nbass\n")
    store.save(root / "data/vectors/mine", ["perch", "bass", "drum"], np.eye(3))
    values = parameter_files.shared() | {"profile": "tiny"}
    values["jet"] |= {
        "corpus": "own/text",
        "terminologies": {"mine": {"kind": "table", "source": "own/terms.tsv"}},
        "models": MODELS,
        "pairs": ["own/pairs.csv"],
        "analogies": "own/analogies.txt",
        "instances": "own/instances.tsv",
        "on_error": "salvage",
        "vectors": "vectors/mine",
        "seeds": [0],
        "dimensions": 6,
        "passes": 3,
        "sample": 0,
        "sample_terms": 0,
    }
    parameter_files.write(root, values, "jet")
    (root / "stages").symlink_to(ROOT / "stages")
    return root


@pytest.fixture(scope="module")
def evaluated(workspace):
    steps = ("prepare_terminology mine", "prepare mine", *(f"train {name}" for name in MODELS), "evaluate")
    run_steps(workspace, *(f"jet.{step}" for step in steps))
    return json.loads((workspace / "data/evaluation/jet/metrics.json").read_text(encoding="utf-8"))


def test_from_a_table_and_text_to_claims(workspace, evaluated):
    assert evaluated["terminologies"]["mine"]["terms"] == 3
    assert evaluated["corpora"]["mine"]["entities"] == 4
    mine = evaluated["mine"]
    assert (mine["runs"], len(mine["losses"])) == (2, 3)
    assert evaluated["tests"] == {"wrong_records": 3}
    assert mine["instances"]["instances"] == 2
    assert 0 <= mine["instances"]["entities"] <= 1 and mine["instances"]["chance"] == 0.5
    assert mine["definitions"]["instances"] == 4
    assert mine["neighbours"]["chance"] == 0.5
    assert mine["pairs"]["pairs"]["entity"]["pairs"] == 2
    assert "entity" not in evaluated["alone"]["pairs"]["pairs"]
    words, _ = store.words_and_matrix(workspace / "data/models/jet/mine/seed-1/entities")
    assert set(words) == {"fish_1", "band_1", "fish_2", "band_2"}
    assert read_card(workspace / "data/models/jet/mine/seed-1/terms")["parameters"]["terminology"] == "mine"
    claims = json.loads((workspace / "data/evaluation/jet/claims.json").read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in claims} == {"not run"}
    assert len(json.loads((workspace / "data/evaluation/jet/figures.json").read_text(encoding="utf-8"))) >= 4


def test_an_unknown_name_is_one_sentence(workspace):
    for step in ("prepare_terminology", "prepare", "train"):
        result = run_here(workspace, f"stages.jet.{step}", "yours")
        assert result.returncode != 0
        assert "expected the name of a" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pases": 3}, "unknown parameter 'jet.pases'; did you mean 'passes'?"),
        (
            {"models": {"mine": {"terminology": "wordnets"}}},
            "there is no 'wordnets' in jet.terminologies; did",
        ),
        (
            {"models": {"mine": {"terminology": "wordnet", "terms": False}}},
            "entities are trained at the mentions",
        ),
        ({"models": {"corpora": {"terminology": "wordnet"}}}, "a name should be a word like full_100"),
        ({"models": {"mine": {"terminology": "wordnet", "permuted": "all"}}}, "jet.models.mine.permuted should be"),
        ({"terminologies": {"mine": {"kind": "umls", "source": "x"}}}, "jet.terminologies.mine.kind should be"),
    ],
)
def test_a_mistake_in_the_parameters(changes, message):
    values = parameter_files.shared()
    values["jet"] |= changes
    with pytest.raises(InputError, match=message):
        load(values)
