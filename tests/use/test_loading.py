"""A folder says what it is, and what is wrong with it in one sentence."""

import json

import numpy as np
import pytest

import repline
from repline import pretrained
from repline.errors import InputError
from repline.use import folders
from repline.use.folders import describe, read_description
from repline.use.word_space import describe_vectors
from repline.vectors import store


def test_description_keeps_the_config_and_can_be_read(tmp_path):
    (tmp_path / "config.json").write_text('{"size": 3}')
    describe(tmp_path, "hcan", "text_classifier", {"labels": ["a"]})
    assert json.loads((tmp_path / "config.json").read_text())["size"] == 3
    description = read_description(tmp_path)
    assert (description.system, description.kind) == ("hcan", "text_classifier")
    assert (description.folder, description.raw_input) == (tmp_path, {"labels": ["a"]})


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(InputError, match="missing: there is no such folder"):
        repline.load(tmp_path / "missing")
    with pytest.raises(InputError, match=r"no model, as there is no config\.json$"):
        repline.load(tmp_path)
    (tmp_path / "runs/seed-0").mkdir(parents=True)
    describe(tmp_path / "runs/seed-0", "hcan", "text_classifier", {})
    with pytest.raises(InputError, match="it holds seed-0: load one of them"):
        repline.load(tmp_path / "runs")
    (tmp_path / "config.json").write_text('{"size": 3}')
    with pytest.raises(InputError, match=r"takes no raw input: .* it holds runs/seed-0: load one"):
        repline.load(tmp_path)
    describe(tmp_path, "hcam", "text_classifier", {})
    with pytest.raises(InputError, match="there is no system 'hcam' here"):
        repline.load(tmp_path)
    (tmp_path / "raw_input.json").unlink()
    (tmp_path / "raw_input.json").mkdir()
    with pytest.raises(InputError, match=r"raw_input\.json: the file cannot be read \(.*Is a directory"):
        repline.load(tmp_path)
    (tmp_path / "raw_input.json").rmdir()
    with pytest.raises(InputError, match=r"raw_input\.json: there is no such file"):
        repline.load(tmp_path)


def test_the_models_that_are_named_take_raw_input(tmp_path):
    (tmp_path / "usif/probe").mkdir(parents=True)
    (tmp_path / "usif/probe/config.json").write_text("{}")
    with pytest.raises(InputError, match=r"usif: no model, as there is no config\.json$"):
        repline.load(tmp_path / "usif")
    with pytest.raises(InputError, match="probe: this model takes no raw input: it is a part of an evaluation"):
        repline.load(tmp_path / "usif/probe")
    (tmp_path / "usif/encoder").mkdir()
    describe(tmp_path / "usif/encoder", "usif", "text_encoder", {})
    with pytest.raises(InputError, match=r"config\.json; it holds encoder: load one of them$"):
        repline.load(tmp_path / "usif")


def test_a_file_that_was_cut_is_named(tmp_path):
    (tmp_path / "names.tsv").write_text("a\tb\n")
    (tmp_path / "README.md").write_text("# A model\n")
    describe(tmp_path, "hcan", "text_classifier", {})
    (tmp_path / "README.md").unlink()
    read_description(tmp_path)
    (tmp_path / "names.tsv").write_text("a\tb\nc\td\n")  # a line more is a person's own
    read_description(tmp_path)
    (tmp_path / "names.tsv").write_text("a\n")
    with pytest.raises(InputError, match=r"names\.tsv: expected 4 bytes, found 2; it is not complete, copy"):
        read_description(tmp_path)
    (tmp_path / "names.tsv").unlink()
    with pytest.raises(InputError, match=r"names\.tsv: expected 4 bytes, found 0"):
        read_description(tmp_path)


@pytest.mark.parametrize("sizes", [[], {"names.tsv": "4"}])
def test_sizes_that_are_none_are_told(tmp_path, sizes):
    describe(tmp_path, "hcan", "text_classifier", {})
    config = {"repline": {"system": "hcan", "kind": "text_classifier", "bytes": sizes}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match=r"config\.json: expected sizes of files"):
        read_description(tmp_path)


def test_a_model_does_not_depend_on_the_working_directory(tmp_path, monkeypatch):
    folders_read = []
    monkeypatch.setattr("repline.systems.hcan.use.load", lambda description: folders_read.append(description.folder))
    describe(tmp_path, "hcan", "text_classifier", {})
    monkeypatch.chdir(tmp_path.parent)
    repline.load(tmp_path.name)
    assert folders_read == [tmp_path]


@pytest.mark.parametrize(
    "error", [AttributeError("'list' object has no attribute 'items'"), KeyError("b"), TypeError()]
)
def test_values_that_no_training_writes_end_in_a_sentence(tmp_path, monkeypatch, error):
    def fail(_):
        raise error

    monkeypatch.setattr("repline.systems.hcan.use.load", fail)
    describe(tmp_path, "hcan", "text_classifier", {"labels": []})
    said = (
        rf"is not as this version of repline writes it \({type(error).__name__}: .+\); copy the folder again, or train"
    )
    with pytest.raises(InputError, match=said) as raised:
        repline.load(tmp_path)
    assert raised.value.__cause__ is error, "who mends the code sees where"


def test_models_leave_the_description_out_of_their_arguments():
    assert pretrained.DESCRIPTION == folders.KEY


def test_a_model_of_vectors_without_its_config_is_no_plain_folder_of_vectors(tmp_path):
    store.save(tmp_path, ["old_king"], np.ones((1, 2), np.float32))
    assert "old_king" in repline.load(tmp_path) and "old king" not in repline.load(tmp_path)
    describe_vectors(tmp_path, "extrofitting", blank="_")
    assert "old king" in repline.load(tmp_path)
    (tmp_path / "config.json").unlink()
    with pytest.raises(
        InputError, match=r"config\.json: there is no such file, so .* is not complete; copy the folder"
    ):
        repline.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("notes.md", "# A title\n\nwords, and no vectors 1\n", "this is a file; a model is a folder with config.json"),
        ("glove.txt", "the 0.5 -1.25e-2 3\nof 1 2 3\n", "this is a file of word vectors; `repline vectors convert "),
        ("wiki.vec", "", "this is a file of word vectors; `repline vectors convert "),
        ("w2v.txt", "2 3\nthe 1 2 3\nof 1 2 3\n", "this is a file of word vectors; `repline vectors convert "),
        ("bytes", "\0\1", "this is a file; a model is a folder"),
        ("nowhere", None, "there is no such folder; a model is a folder with config.json"),
    ],
)
def test_a_file_is_no_folder_and_one_of_word_vectors_says_what_makes_one(tmp_path, name, text, said):
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        repline.load(path)
    assert str(caught.value).startswith(f"{path}: {said}")
