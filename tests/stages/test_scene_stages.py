"""Scenes and captions of a person's own become corpora by parameters alone."""

import json

import pyarrow.parquet as pq
import pytest
import yaml

from tests.corpora.scenes.test_scene_files import SENTENCES, TRIPLETS
from tests.stages.in_one_process import run_here


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "data/own/kitchen").mkdir(parents=True)
    (tmp_path / "data/own/kitchen/kitchen.train.txt").write_text(SENTENCES)
    (tmp_path / "data/own/kitchen/kitchen.train_context.txt").write_text(TRIPLETS)
    (tmp_path / "data/own/captions").mkdir()
    (tmp_path / "data/own/captions/a.txt").write_text("A woman cleans a table.\n")
    return change(tmp_path, corpora={"kitchen": {"source": "own/kitchen"}}, stated={})


def change(workspace, **section):
    path = workspace / "params.yaml"
    section_before = yaml.safe_load(path.read_text())["scenes"] if path.exists() else {}
    path.write_text(yaml.safe_dump({"scenes": section_before | section}))
    return workspace


def test_a_persons_scenes_become_a_corpus_with_statistics(workspace):
    for step in ("read", "evaluate"):
        process = run_here(workspace, f"stages.scenes.{step}", "kitchen")
        assert process.returncode == 0, process.stderr
    table = pq.read_table(workspace / "data/corpora/kitchen/part-00000.parquet")
    assert len(table) == 2 + 3  # two sentences, and one with a gap for each reference
    measured = json.loads((workspace / "data/evaluation/scenes/kitchen.json").read_text())
    assert measured["statistics"]["relations_by_type"]["Theme"] == 1
    assert measured["extraction"]["Agent"] == {"found": 1, "precision": 1.0, "recall": 1.0}


def test_a_persons_captions_become_triplets(workspace):
    change(workspace, stated={"seen": {"source": "own/captions"}})
    process = run_here(workspace, "stages.scenes.state", "seen")
    assert process.returncode == 0, process.stderr
    assert "data/corpora/seen: 1 sentences, 2 triplets" in process.stdout
    (row,) = pq.read_table(workspace / "data/corpora/seen/part-00000.parquet").to_pylist()
    assert {tuple(triplet.values()) for triplet in row["stated"]} == {
        ("woman", "Agent", "clean"),
        ("table", "Theme", "clean"),
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tO\t0\tROOT\tclean_1", "\tO\t2\tROOT\tclean_1", "the heads of the words 2 -> 3 -> 2 form a cycle"),
        ("$Theme$", "$Colour$", "kitchen.train_context.txt, line 2: unknown type of triplet '$Colour$'"),
        ("3\tcleans", "2\tcleans", "kitchen.train.txt, line 3: word '2' is there twice; a word has one head"),
    ],
)
def test_damaged_scenes_are_one_sentence_and_leave_nothing(workspace, old, new, message):
    for path in (workspace / "data/own/kitchen").iterdir():
        path.write_text(path.read_text().replace(old, new))
    process = run_here(workspace, "stages.scenes.read", "kitchen")
    assert process.returncode == 1 and message in process.stderr and "Traceback" not in process.stderr
    assert not (workspace / "data/corpora").exists() or not any((workspace / "data/corpora").iterdir())


@pytest.mark.parametrize(
    ("corpora", "arguments", "message"),
    [
        ({"kitchen": {"source": "own/kitchen"}}, ("attic",), "expected the name of a corpus, one of: kitchen"),
        ({"kitchen": {"source": "own/attic"}}, ("kitchen",), "data/own/attic: there is no such folder of scenes"),
        ({"kitchen": {"source": "own/kitchen", "cycle": True}}, ("kitchen",), "did you mean 'cycles'?"),
        ({"kitchen": {"source": "own/kitchen", "folds": 1}}, ("kitchen",), "there is no file Train1.txt"),
    ],
)
def test_mistakes_in_parameters_are_one_sentence(workspace, corpora, arguments, message):
    process = run_here(change(workspace, corpora=corpora), "stages.scenes.read", *arguments)
    assert process.returncode == 1 and message in process.stderr and "Traceback" not in process.stderr
    assert not (workspace / "data/corpora/kitchen").exists()
