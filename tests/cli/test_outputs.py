"""A command replaces its old result, and nothing else that lies at the place of its output."""

import numpy as np
import pytest
from typer.testing import CliRunner

from repline.cli.app import app
from repline.errors import InputError
from repline.vectors import store


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store.save("vectors", ["one", "two"], np.eye(2, dtype=np.float32))
    (tmp_path / "mine").mkdir()
    for name in ("work.txt", "work"):
        (tmp_path / "mine" / name).write_text("of a year")
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph/triples.tsv").write_text("a\tr\tb\nb\tr\tc\nc\tr\ta\n")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.mark.parametrize(
    "command",
    [
        ["vectors", "convert", "vectors"],
        ["vectors", "retrofit", "vectors", "--lexicon", "mine/work.txt"],
        ["extract", "dump.xml", "--out"],
        ["train", "transea", "--data", "graph", "--out"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("mine", "has other files"),
        (".", "where you are"),
        ("..", "where you are"),
        ("mine/work", "this is a file"),
        ("mine/work/new", "mine/work is a file"),
    ],
)
def test_other_files_stay(here, command, out, message):
    with pytest.raises(InputError, match=message):
        run(*command, out)
    assert (here / "mine/work.txt").read_text() == "of a year"


@pytest.mark.parametrize(
    "command",
    [
        ["encode", "nowhere", "mine/work.txt"],
        ["vectors", "export", "nowhere"],
        ["vectors", "retrofit", "nowhere", "--lexicon", "mine/work.txt"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
@pytest.mark.parametrize(
    ("out", "message"), [("mine.vec", "this is a folder"), ("mine/work/new/out.vec", "mine/work is a file")]
)
def test_a_file_that_cannot_be_written_is_told_before_the_work(here, command, out, message):
    (here / "mine.vec").mkdir()
    with pytest.raises(InputError, match=f"^{out}: .*{message}"):
        run(*command, out)


@pytest.mark.parametrize("name", ["config.json", "card.json"])
@pytest.mark.parametrize("content", ['{"name": "my-web-app"}', '{"distribution": [1], "repline": 2}', "[]", "no JSON"])
def test_a_folder_that_merely_has_a_config_of_its_own_stays(here, name, content):
    (here / "mine" / name).write_text(content)
    with pytest.raises(InputError, match=r"^mine: this folder has other files, such as '.*'"):
        run("train", "transea", "--data", "graph", "--out", "mine", "--epochs", "1")
    assert (here / "mine/work.txt").read_text() == "of a year"


def test_an_old_result_with_a_file_that_was_put_into_it_stays(here):
    for command in (
        ["vectors", "convert", "vectors"],
        ["train", "transea", "--epochs", "1", "--data", "graph", "--out"],
    ):
        assert run(*command, "result").exit_code == 0
        (here / "result/inner").mkdir()
        (here / "result/inner/thesis.txt").write_text("of a year")
        with pytest.raises(InputError, match=r"^result: this folder has other files, such as 'inner/thesis\.txt'"):
            run(*command, "result")
        (here / "result/inner/thesis.txt").rename(here / "result/notes.md")
        with pytest.raises(InputError, match=r"such as 'notes\.md'"):
            run(*command, "result")
        (here / "result/notes.md").unlink()
        assert run(*command, "result").exit_code == 0


def test_an_old_result_and_an_empty_folder_are_replaced(here):
    (here / "new").mkdir()
    for _ in range(2):
        assert run("vectors", "convert", "vectors", "new").exit_code == 0
    for epochs in ("1", "2"):
        assert run("train", "transea", "--data", "graph", "--out", "model", "--epochs", epochs).exit_code == 0
    assert sorted(path.name for path in here.iterdir()) == ["graph", "mine", "model", "new", "vectors"]


@pytest.mark.parametrize(
    "command",
    [
        ["encode", "vectors", "mine/work.txt"],
        ["vectors", "export", "vectors"],
        ["vectors", "convert", "vectors"],
        ["train", "transea", "--data", "graph", "--out"],
    ],
)
def test_the_standard_output_is_no_result(here, command):
    with pytest.raises(InputError, match=r"^-: the result is not written to the standard output"):
        run(*command, "-")
    assert not (here / "-").exists()
