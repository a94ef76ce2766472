"""Lexical contrast: the paper's records are whole, and the steps run with a person's own vectors and constraints."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stages
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.lexicons.constraints import write_constraints
from repline.lexicons.wordnet.storage import save as save_wordnet
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet
from repline.systems.lexical_contrast.settings import load as load_settings
from repline.vectors.store import load
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "lexical_contrast"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
PARAMETERS = parameter_files.shared()["lexical_contrast"]
WORDS = [f"{first}{second}" for first in "abcdefghij" for second in "klmnopqrst"]


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "word-similarity": 32,
        "other-starts": 4,
        "antonym-detection": 13,
        "synonyms-against-antonyms": 33,
    }


def test_the_best_configuration_is_the_best_of_every_column():
    for name in ("word-similarity", "antonym-detection", "synonyms-against-antonyms"):
        best = {}
        for row in TABLES[name]:
            if row["variant"] not in ("literature", "lookup", "start"):
                best.setdefault(row["column"], []).append((row["value"], row["variant"]))
        assert {max(scores)[1] for scores in best.values()} == {"syn_hyp1_ant"}


def of_questions(f1):
    """An F1 of the paper, in the place of the made questions and of those of the GRE."""
    return {"opposites": {"farthest": f1}, "questions": {"gre_questions": {"farthest": f1}}}


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = {"questions": {"gre_questions": {"lookup": {"f1": 0.62}}}, "chance": {"opposites": 0.2}}
    for row in TABLES["word-similarity"]:
        if row["variant"] == "literature" and not row["item"].startswith("Counter-fitting"):
            continue
        space, test, _ = row["measured"].split(".")
        metrics.setdefault(space, {})[test] = {"spearman": row["value"]}
    for row in TABLES["antonym-detection"]:
        if row["variant"] not in ("literature", "lookup"):
            metrics[row["variant"]] |= of_questions(row["value"])
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "both-beat-either",
        "both-beat-either-verbs",
        "above-start",
        "above-counter-fitting",
        "hypernyms-help",
        "hypernyms-help-verbs",
        "hypernyms-help-questions",
        "repel-solves-antonyms",
        "attract-alone-does-not",
        "repel-solves-gre",
        "attract-alone-does-not-gre",
        "both-find-more-gre",
        "hypernyms-help-gre",
        "expansion-hurts",
        "above-people",
        "above-look-up",
    }
    assert "fails" not in judged.values()


def test_the_parameters_are_sound_and_a_mistake_is_named():
    assert list(load_settings({"lexical_contrast": PARAMETERS}).configurations) == list(PARAMETERS["configurations"])
    for change, words in [
        ({"configuration": {}}, "did you mean 'configurations'"),
        ({"configurations": {"a": {"attract": ["sin"]}}}, "configurations.a.attract[0] should be 'syn', 'hyp1', "),
        ({"configurations": {"a": {}}}, "lexical_contrast.configurations.a: neither attracts nor repels"),
        ({"configurations": {"a b": {"repel": ["ant"]}}}, "configurations.a b: a name should be a word like"),
        ({"configurations": {"start": {"repel": ["ant"]}}}, "start is reserved for the initial vectors"),
        ({"configurations": {"a": {"repel": ["ant"], "method": "magic"}}}, "or 'retrofitting', found 'magic'"),
        ({"configurations": {"a": {"repel": ["ant"], "epoch": 1}}}, "configurations.a.epoch'; did you mean 'epochs'"),
        ({"configurations": {"a": {"repel": ["ant"], "epochs": "x"}}}, "configurations.a.epochs should be a valid int"),
        ({"configurations": {"a": {"repel": ["ant"], "sweeps": 1}}}, "unknown parameter"),
        ({"configurations": {}}, "lexical_contrast.configurations should have at least 1 item, found {}"),
        ({"attract_repel": {"epoch": 1}}, "did you mean 'epochs'"),
        ({"seeds": []}, "lexical_contrast.seeds should have at least 1 item, found []"),
        ({"words": 0}, "greater than or equal to 2"),
    ]:
        with pytest.raises(InputError) as caught:
            load_settings({"lexical_contrast": PARAMETERS | change})
        assert words in str(caught.value)


def test_a_configuration_may_name_knobs_of_its_method():
    knobs = {
        "own": {"attract": ["syn"], "epochs": 3},
        "pulled": {"attract": ["syn"], "method": "retrofitting", "sweeps": 2},
    }
    configurations = load_settings({"lexical_contrast": PARAMETERS | {"configurations": knobs}}).configurations
    assert configurations["own"].model_dump(exclude_unset=True) == PARAMETERS["attract_repel"] | knobs["own"]
    assert configurations["pulled"].model_dump(exclude_unset=True) == knobs["pulled"]


@pytest.fixture
def project(tmp_path):
    """A person's own vectors and constraints, a little wordnet, and one source of tests."""
    random = np.random.default_rng(0)
    data = tmp_path / "data"
    for folder in ("raw/word_benchmarks", "lexicons/constraints/mine", "lexicons/wordnet-graph"):
        (data / folder).mkdir(parents=True)
    lines = [f"{word} " + " ".join(f"{value:.5f}" for value in random.normal(size=6)) for word in WORDS]
    (data / "mine.txt").write_text("\n".join(lines) + "\n")
    near = [(WORDS[row], WORDS[row + 1]) for row in range(0, 60, 2)]
    far = [(WORDS[row], WORDS[row + 2]) for row in range(0, 40, 2)]
    write_constraints(data / "lexicons/constraints/mine/synonyms.parquet", {"mine": near})
    write_constraints(data / "lexicons/constraints/mine/antonyms.parquet", {"mine": far})
    above = {"source": WORDS[:40], "target": WORDS[30:70], "relation": ["hypernym"] * 40}
    pq.write_table(pa.table(above), data / "lexicons/wordnet-graph/edges.parquet")
    synsets = [
        Synset(
            f"{pos}{row}",
            pos,
            tuple(WORDS[row + offset] for offset in (0, 1, 2)),
            (Pointer("antonym", f"{pos}{(row + 4) % 80}", 1, 1),),
            markers=("", "", ""),
        )
        for pos in "nva"
        for row in range(0, 80, 4)
    ]
    save_wordnet(WordNet(synsets), data / "lexicons/wordnet", name="little", licence="none", sources=[])
    for name in ("simlex999.txt", "wordsim353.tsv"):
        rows = [f"{WORDS[row]}\t{WORDS[row + 1]}\t{row % 10}" for row in range(60)]
        (data / "raw/word_benchmarks" / name).write_text("\n".join(rows) + "\n")
    changes = {
        "vectors": "mine.txt",
        "words": None,
        "constraints": ["mine"],
        "seeds": [0, 1],
        "configurations": {
            "syn_ant": {"attract": ["syn"], "repel": ["ant"]},
            "held_out": {"attract": ["syn"], "repel": ["ant"], "hold_out": True},
            "retrofitting": {"attract": ["syn"], "method": "retrofitting"},
            "counter_fitting": {
                "attract": ["syn"],
                "repel": ["ant"],
                "method": "counter_fitting",
                "weights": [0.1] * 3,
            },
        },
        "attract_repel": PARAMETERS["attract_repel"] | {"epochs": 2, "batch": 10},
    }
    parameter_files.write(tmp_path, {"profile": "small", "lexical_contrast": PARAMETERS | changes})
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    return tmp_path


def test_own_vectors_and_own_constraints_need_parameters_alone(project):
    trained = [f"train {name}" for name in ("syn_ant", "held_out", "retrofitting", "counter_fitting")]
    steps = ("prepare", *trained, "measure word_benchmarks", "evaluate")
    run_steps(project, *(f"lexical_contrast.{step}" for step in steps))
    first = load(project / "data/vectors/lexical_contrast-syn_ant").vectors
    assert len(first) == 100
    assert (first == load(project / "data/models/lexical_contrast/syn_ant/seed-0").vectors).all()
    assert (first != load(project / "data/models/lexical_contrast/syn_ant/seed-1").vectors).any()
    metrics = json.loads((project / "data/evaluation/lexical_contrast/metrics.json").read_text())
    assert (metrics["constraints"]["syn"], metrics["constraints"]["ant"], metrics["constraints"]["hyp1"]) == (
        30,
        20,
        40,
    )
    assert metrics["constraints"]["antexp"] > 20
    assert (metrics["syn_ant"]["seeds"], metrics["retrofitting"]["seeds"]) == (2, 1)
    assert metrics["pairs_in"]["simlex_999"]["syn"] == 30
    assert metrics["syn_ant"]["simlex_999"]["unconstrained_pairs"] == 30
    assert metrics["syn_ant"]["simlex_999"]["start_unconstrained"] is not None
    assert metrics["start"]["simlex_999"]["unconstrained"] is None
    assert metrics["constraints"]["held_out"] > 0
    assert metrics["syn_ant"]["outside_moved"] == metrics["retrofitting"]["outside_moved"] == 0
    assert metrics["unconstrained_words"] == 30
    assert metrics["start"]["contrast"]["lexical_contrast"]["noun"]["pairs"] > 0
    assert "questions" not in metrics
    (project / "data/raw/asked").mkdir()
    (project / "data/raw/asked/test.txt").write_text(f"{WORDS[0]}: {WORDS[2]} {WORDS[1]} nowhere :: {WORDS[2]}\n")
    values = parameter_files.read(project)
    values["lexical_contrast"]["questions"] = "raw/asked"
    parameter_files.write(project, values)
    run_steps(project, "lexical_contrast.evaluate")
    asked = json.loads((project / "data/evaluation/lexical_contrast/metrics.json").read_text())
    assert asked.pop("questions")["asked"]["lookup"]["f1"] == 1
    assert asked["syn_ant"]["questions"]["asked"]["farthest"] == 1
    assert asked["held_out"]["questions"]["asked"]["questions"] == 1
    before = (project / "data/vectors/lexical_contrast-syn_ant/vectors.npy").read_bytes()
    assert run_command(project, "stages.lexical_contrast.train", "syn_ant", fresh=True).returncode == 0
    assert (project / "data/vectors/lexical_contrast-syn_ant/vectors.npy").read_bytes() == before


def test_a_mistake_is_one_sentence(project):
    completed = run_here(project, "stages.lexical_contrast.train", "syn")
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert "one of: syn_ant, held_out, retrofitting, counter_fitting" in completed.stderr
    values = parameter_files.read(project)
    values["lexical_contrast"]["constraints"] = ["mini"]
    parameter_files.write(project, values)
    completed = run_here(project, "stages.lexical_contrast.prepare")
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert "did you mean 'mine'" in completed.stderr
