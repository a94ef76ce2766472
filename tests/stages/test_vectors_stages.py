"""The stages of vectors, run as commands on a toy corpus and a toy file."""

import hashlib
from pathlib import Path

import pytest
import yaml

from repline.cards import read_card
from repline.vectors.store import load
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here
from tests.vectors.toy_corpus import write

ROOT = Path(__file__).parents[2]
PARAMETERS = parameter_files.shared()["vectors"]
TEXT = b"cat 1 2\ndog 3 4\ncow 5 6\n"


@pytest.fixture
def workspace(tmp_path):
    small = {"dimensions": 8, "minimum_count": 2}
    sections = {name: PARAMETERS[name] | small for name in ("word2vec", "fasttext", "lsa")}
    sections["fasttext"] |= {"buckets": 100}
    sections["lsa"] |= {"documents": "document"}
    imports = {"mine": {"path": "elsewhere/mine.txt", "limit": 2}}
    parameters = {"vectors": sections | {"imports": imports, "corpus": "corpora/toy"}}
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mine.txt").write_bytes(TEXT)
    write(tmp_path / "data/corpora/toy", 120)
    return tmp_path


def stage(workspace, name, *arguments):
    return run_command(workspace, f"stages.vectors.{name}", *arguments)


def change(workspace, edit):
    path = workspace / "params.yaml"
    parameters = yaml.safe_load(path.read_text())
    edit(parameters["vectors"])
    path.write_text(yaml.safe_dump(parameters))


@pytest.mark.parametrize("name", ["word2vec", "fasttext", "lsa"])
def test_vectors_are_trained_as_the_parameters_say(workspace, name):
    completed = stage(workspace, name)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert f"data/vectors/{name}: 22 words, 8 dimensions" in completed.stdout
    vectors = load(workspace / "data/vectors" / name)
    assert vectors.vectors.shape == (22, 8)
    card = read_card(workspace / "data/vectors" / name)
    assert card["parameters"]["keep"] == r"\p{L}"


def test_a_file_of_ones_own_is_converted(workspace):
    completed = stage(workspace, "convert", "mine")
    assert (completed.returncode, completed.stderr) == (0, "")
    assert completed.stdout == "data/vectors/mine: 2 words, 2 dimensions\n"
    vectors = load(workspace / "data/vectors/mine")
    assert (vectors.index_to_key, vectors.vectors.tolist()) == (["cat", "dog"], [[1, 2], [3, 4]])
    card = read_card(workspace / "data/vectors/mine")
    sha256 = hashlib.sha256(TEXT).hexdigest()
    assert card["sources"] == [{"name": "mine.txt", "sha256": sha256, "bytes": len(TEXT)}]
    assert card["licence"] == "not stated"


def test_a_stored_folder_is_converted_with_its_counts_and_its_card(workspace):
    assert stage(workspace, "lsa").returncode == 0
    entry = {"path": "data/vectors/lsa", "limit": 5}
    change(workspace, set_in("imports", "fewer", entry))
    assert run_here(workspace, "stages.vectors.convert", "fewer").returncode == 0
    before, after = (load(workspace / "data/vectors" / name) for name in ("lsa", "fewer"))
    assert after.index_to_key == before.index_to_key[:5]
    assert after.get_vecattr(after.index_to_key[0], "count") == before.get_vecattr(after.index_to_key[0], "count")
    card = read_card(workspace / "data/vectors/fewer")
    assert card["sources"][0]["vectors"]["name"] == "lsa"


def set_in(section, key, value):
    def edit(vectors):
        (vectors[section] if section else vectors)[key] = value

    return edit


@pytest.mark.parametrize(
    ("arguments", "edit", "message"),
    [
        (["convert"], None, "expected the names of an entry of vectors.imports, found nothing"),
        (
            ["convert", "mime"],
            None,
            "the name of an entry of vectors.imports, found 'mime'; did you mean 'mine'?",
        ),
        (
            ["convert", "mine"],
            set_in("imports", "mine", {}),
            "vectors.imports.mine.path is missing",
        ),
        (
            ["convert", "mine"],
            set_in("imports", "mine", {"path": "absent"}),
            "mine: there is no file or folder absent",
        ),
        (
            ["convert", "mine"],
            set_in("imports", "mine", {"path": "elsewhere/mine.txt", "limits": 2}),
            "unknown parameter 'vectors.imports.mine.limits'; did you mean 'limit'?",
        ),
        (["word2vec"], set_in("word2vec", "architecture", "skipgram"), "vectors.word2vec.architecture should be"),
        (["word2vec"], set_in(None, "corpus", None), "vectors.corpus should be a valid string, found None"),
        (["fasttext"], set_in(None, "corpus", "corpora/absent"), "expected a Parquet file, or a folder with part-"),
        (["lsa"], set_in("lsa", "dimensions", 22), "22 words in 40 contexts have less than 22 + 1 singular values"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, arguments, edit, message):
    if edit:
        change(workspace, edit)
    before = sorted(workspace.rglob("*"))
    failed = run_here(workspace, f"stages.vectors.{arguments[0]}", *arguments[1:])
    assert failed.returncode == 1
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert sorted(workspace.rglob("*")) == before


def test_a_malformed_file_leaves_the_earlier_vectors(workspace):
    assert run_here(workspace, "stages.vectors.convert", "mine").returncode == 0
    (workspace / "elsewhere/mine.txt").write_bytes(b"cat 1 2\ndog 3 nan\n")
    failed = run_here(workspace, "stages.vectors.convert", "mine")
    assert failed.returncode == 1
    assert "mine.txt, line 2: value 2 of 'dog' is nan, expected a finite float32" in failed.stderr
    assert len(load(workspace / "data/vectors/mine")) == 2
