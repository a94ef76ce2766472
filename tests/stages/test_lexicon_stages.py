"""The stages of lexicons, run as commands on a person's own wordnet and files of pairs, which have no cards."""

from pathlib import Path

import pytest

from repline.cards import read_card
from repline.lexicons.constraints import read_constraints
from tests.lexicons.small_wordnet import write_wndb
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workspace(tmp_path):
    constraints = {
        "mine": {"place": "lexicons/of-mine", "synonyms": "near.txt", "antonyms": "far.txt"},
        "wordnet": {"place": "lexicons/wordnet"},
    }
    section = {"wordnet": "my/wordnet", "frequency": "raw/none", "graphs": {}, "constraints": constraints}
    parameter_files.write(tmp_path, {"lexicons": section})
    mine = tmp_path / "data/lexicons/of-mine"
    mine.mkdir(parents=True)
    (mine / "near.txt").write_text("big large\nLarge big\nsmall little\n")
    (mine / "far.txt").write_text("big small\n")
    (tmp_path / "data/my").mkdir()
    write_wndb(tmp_path / "data/my/wordnet")
    return tmp_path


def stage(workspace, name, *arguments):
    return run_here(workspace, f"stages.lexicons.{name}", *arguments)


def test_own_pairs_need_no_card(workspace):
    process = stage(workspace, "constraints", "mine")
    assert (process.returncode, process.stderr) == (0, "")
    folder = workspace / "data/lexicons/constraints/mine"
    assert read_constraints(folder / "synonyms.parquet") == [("big", "large"), ("small", "little")]
    assert read_constraints(folder / "antonyms.parquet") == [("big", "small")]
    card = read_card(folder)
    assert card["licence"] == "not stated"
    files = card["sources"][0]["files"]
    assert [file["name"] for file in files] == ["far.txt", "near.txt"]
    assert all(len(file["sha256"]) == 64 for file in files)


def test_the_card_beside_own_pairs_is_kept(workspace):
    (workspace / "data/lexicons/of-mine/card.json").write_text('{"name": "my pairs", "licence": "CC0"}')
    assert stage(workspace, "constraints", "mine").returncode == 0
    card = read_card(workspace / "data/lexicons/constraints/mine")
    assert (card["licence"], card["sources"]) == ("CC0", [{"name": "my pairs", "licence": "CC0"}])


def test_an_own_wordnet_gives_synsets_and_pairs(workspace):
    process = stage(workspace, "wordnet")
    assert (process.returncode, process.stderr) == (0, "")
    assert stage(workspace, "constraints", "wordnet").returncode == 0
    pairs = read_constraints(workspace / "data/lexicons/constraints/wordnet/antonyms.parquet")
    assert pairs == [("dry", "wet")]


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [("near.txt", "one two three\n", "line 1: expected two words"), ("far.txt", None, "far.txt")],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(workspace, path, content, words):
    file = workspace / "data/lexicons/of-mine" / path
    file.unlink() if content is None else file.write_text(content)
    process = stage(workspace, "constraints", "mine")
    assert process.returncode == 1
    assert words in process.stderr
    assert len(process.stderr.strip().splitlines()) == 1
    assert not (workspace / "data/lexicons/constraints").exists() or not any(
        (workspace / "data/lexicons/constraints").iterdir()
    )


def test_a_place_that_is_not_there_is_named(workspace):
    (workspace / "data/lexicons/of-mine").rename(workspace / "data/lexicons/elsewhere")
    process = stage(workspace, "constraints", "mine")
    assert process.returncode == 1
    assert "data/lexicons/of-mine" in process.stderr
    assert "Traceback" not in process.stderr
