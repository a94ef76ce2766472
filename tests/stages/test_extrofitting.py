"""Extrofitting: the paper's records are whole, and the steps run with a person's own vectors and lexicon."""

import json
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.systems.extrofitting.settings import load as load_settings
from repline.vectors.store import load
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "extrofitting"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
PARAMETERS = parameter_files.shared()["extrofitting"]


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "lexicons-glove": 40,
        "extrofitted-words": 16,
        "dimensions": 48,
        "other-vectors": 40,
        "neighbours": 59,
    }


def test_the_tables_agree_where_they_print_the_same():
    first = {(row["item"], row["column"]): row["value"] for row in TABLES["lexicons-glove"]}
    for row in TABLES["dimensions"]:
        if row["dataset"] == "glove.6B.300d" and row["variant"] == "extrofitting":
            assert row["value"] == first["glove.6B.300d + WordNet_all", row["column"]]


def small_metrics():
    """Metrics of a run with 60,000 words and WordNet 3.1."""

    def scores(simlex, wordsim):
        return {"simlex_999": {"spearman": simlex}, "wordsim_353": {"spearman": wordsim}}

    lexicon = {
        "extrofitting": scores(0.2975, 0.6111),
        "retrofitting": scores(0.3589, 0.4977),
        "edges": scores(0.3181, 0.6262),
        "permuted_in_lexicon": scores(0.2820, 0.6111),
        "orders": {"simlex_999": [0.2975, 0.2961]},
        "outside": {"extrofitting": 0.07, "retrofitting": 0.0},
        "nearest": {"base": {"love": [0.8] * 10}, "extrofitting": {"love": [0.7] * 10}},
    }
    metrics = {"base": scores(0.2652, 0.5202), "whitened": scores(0.2745, 0.6080), "wordnet_all": lexicon}
    return {"glove_6b_50d": metrics, "cut": {"glove_6b_50d": metrics}}


def test_every_small_claim_holds_on_a_known_good_run():
    metrics = small_metrics()
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "small", [metrics] * 2)}
    small = {claim.id for claim in CLAIMS if claim.scale == "small"}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == small


def test_what_is_said_of_frequent_words_is_not_judged_on_all():
    metrics = small_metrics()
    del metrics["cut"]
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "real")}
    assert judged["whitening-explains-wordsim"] == "not run"


def test_the_papers_own_numbers_uphold_what_it_says_of_them():
    metrics = {}
    for table in ("lexicons-glove", "dimensions", "other-vectors"):
        for row in TABLES[table]:
            branch = metrics
            *path, _ = row["measured"].split(".")
            for part in path:
                branch = branch.setdefault(part, {})
            branch["spearman"] = row["value"]
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "wordsim-above-base",
        "wordsim-above-retrofitting",
        "men-above-base",
        "men-above-retrofitting",
        "simlex-retrofitting-ahead",
        "rg-retrofitting-ahead",
        "simlex-above-base",
        "every-dimension",
        "word2vec-wordsim-falls",
        "fasttext-rg-falls",
    }
    assert "fails" not in judged.values()


def test_the_parameters_are_sound_and_a_mistake_is_named():
    assert load_settings({"extrofitting": PARAMETERS}).model_dump(exclude_unset=True) == PARAMETERS
    for change, words in [
        ({"vektors": "x"}, "did you mean 'vectors'"),
        ({"retrofitting": {"sweep": 3}}, "did you mean 'sweeps'"),
        ({"lexicons": {"a b": {"place": "x"}}}, "extrofitting.lexicons.a b: a name should be a word like"),
        ({"vectors": {"a-b": "x"}}, "extrofitting.vectors.a-b: a name should be a word like"),
        ({"lexicons": {"start": {"place": "x"}}}, "start is reserved for the initial vectors; choose another"),
        (
            {"lexicons": {"a": {"plaice": "x"}}},
            "unknown parameter 'extrofitting.lexicons.a.plaice'; did you mean 'place'",
        ),
        ({"lexicons": {}}, "extrofitting.lexicons should have at least 1 item, found {}"),
        ({"words": 1}, "greater than or equal to 2, found 1"),
    ]:
        with pytest.raises(InputError, match=words):
            load_settings({"extrofitting": PARAMETERS | change})


@pytest.fixture
def project(tmp_path):
    """A person's own vectors and lexicon, and one source of tests."""
    random = np.random.default_rng(0)
    words = [f"{first}{second}" for first in "abcdefghij" for second in "klmnopqrst"]
    lines = [f"{word} " + " ".join(f"{value:.5f}" for value in random.normal(size=6)) for word in [*words, "b2b"]]
    lists = [f"{words[row]} {words[row + 1]} B2B {words[row + 2].upper()} unseen" for row in range(0, 60, 3)]
    (tmp_path / "data" / "raw" / "word_benchmarks").mkdir(parents=True)
    (tmp_path / "data" / "mine.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "data" / "again.txt").write_text("\n".join(lines[:99]) + "\n")
    (tmp_path / "data" / "lists.txt").write_text("\n".join(lists) + "\n")
    for name in ("simlex999.txt", "wordsim353.tsv"):
        rows = [f"{words[row]}\t{words[99 - row]}\t{row % 10}" for row in range(40)]
        (tmp_path / "data" / "raw" / "word_benchmarks" / name).write_text("\n".join(rows) + "\n")
    changes = {"words": None, "lexicons": {"mine": {"place": "lists.txt"}}, "sample": 50}
    changes["vectors"] = {"mine": "mine.txt", "again": "again.txt"}
    values = {"profile": "small", "extrofitting": PARAMETERS | changes}
    parameter_files.write(tmp_path, values)
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    return tmp_path


def run(project, module, *arguments):
    return run_here(project, f"stages.extrofitting.{module}", *arguments)


def test_own_vectors_and_an_own_lexicon_need_parameters_alone(project):
    steps = ("prepare mine", "prepare again", "train mine", "measure mine word_benchmarks", "evaluate")
    run_steps(project, *(f"extrofitting.{step}" for step in steps))
    fitted = load(project / "data/vectors/extrofitting-mine-retrofitting")
    assert len(fitted) == 101
    sources = read_card(project / "data/vectors/extrofitting-mine")["sources"]
    assert [source["name"] for source in sources] == ["mine.txt", "lists.txt"]
    metrics = json.loads((project / "data/evaluation/extrofitting/metrics.json").read_text())
    assert metrics["again"]["base"]["simlex_999"]["kept"] == 39  # two tables of vectors fill together
    metrics = metrics["mine"]
    assert metrics["mine"]["heads"] == metrics["mine"]["linked"] == 20
    assert metrics["mine"]["edge_count"] == 40  # without b2b, which has a digit, and the word that has no vector
    assert metrics["base"]["simlex_999"]["kept"] == 40
    assert metrics["mine"]["outside"]["retrofitting"] == 0
    assert len(metrics["mine"]["orders"]["simlex_999"]) == 2
    repeated = read_replicates(project / "data/evaluation/extrofitting/replicates.parquet")
    assert len(repeated) == 200
    assert len({part["mine"]["mine"]["edges"]["simlex_999"]["spearman"] for part in repeated}) > 100
    judged = json.loads((project / "data/evaluation/extrofitting/claims.json").read_text())
    assert {claim["verdict"] for claim in judged} == {"not run"}
    before = (project / "data/vectors/extrofitting-mine/vectors.npy").read_bytes()
    assert run_command(project, "stages.extrofitting.train", "mine", fresh=True).returncode == 0
    assert (project / "data/vectors/extrofitting-mine/vectors.npy").read_bytes() == before


def test_a_wrong_word_on_the_command_line_is_one_sentence(project):
    completed = run(project, "train", "theirs")
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert "one of: mine" in completed.stderr
    for name in ("mine", "again"):
        assert run(project, "prepare", name).returncode == 0
    (project / "data" / "lists.txt").write_text("nobody knows\n")
    completed = run(project, "train", "mine")
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert "no two words of the vectors are neighbours" in completed.stderr
