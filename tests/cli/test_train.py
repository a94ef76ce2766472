"""`repline train` on files of one's own, in a folder that is no checkout."""

import ast
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.cli.records import read_records
from repline.cli.system_table import SYSTEMS
from repline.cli.train import COMMANDS
from repline.errors import InputError
from tests.cli.train_command import notes_of, train, trained
from tests.commands import ROOT
from tests.raw_input import check

PEOPLE = 40


@pytest.fixture
def family(tmp_path):
    """Four lines of ten people, each the parent of the next, 25 years older; all of a line live in one town."""
    people = [f"person {number}" for number in range(PEOPLE)]
    triples = [f"{people[i]}\tparent of\t{people[i + 1]}" for i in range(PEOPLE - 1) if i % 10 != 9]
    triples += [f"{person}\tlives in\ttown {number // 10}" for number, person in enumerate(people)]
    born = [f"{person}\tborn\t{1700 + 25 * (number % 10)}" for number, person in enumerate(people)]
    folder = tmp_path / "family"
    folder.mkdir()
    (folder / "triples.tsv").write_text("\n".join(triples) + "\n")
    (folder / "numbers.tsv").write_text("\n".join([*born, "nobody\tborn\t1900"]) + "\n")
    return folder


def test_a_graph_with_numbers_predicts_a_year_in_years(family, tmp_path):
    command = [sys.executable, "-m", "repline"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    train = [*command, "train", "transea", "--data", "family", "--out", "model", "--dimensions", "30"]
    completed = subprocess.run(train, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout.endswith("model: 44 entities, 2 relations, 1 attributes\n")
    assert "1 numbers that are of no entity of the graph were left out" in completed.stderr
    model = repline.load(tmp_path / "model")
    check(model, tmp_path / "model")
    years = np.array(model.predict_number([f"person {i}" for i in range(PEOPLE)], ["born"] * PEOPLE))
    assert np.abs(years - [1700 + 25 * (i % 10) for i in range(PEOPLE)]).mean() < 20  # of 225 years
    assert model.predict("person 3", "lives in", n=1)[0].entity == "town 0"
    rows = "person 3\tborn\nperson 3\tlives in\n"
    predict = [*command, "predict", "model", "-"]
    completed = subprocess.run(predict, cwd=tmp_path, env=environment, input=rows, capture_output=True, text=True)
    number, tails = (json.loads(line) for line in completed.stdout.splitlines())
    assert number["number"] == pytest.approx(years[3], rel=1e-5) and tails["tails"][0][0] == "town 0"


def test_the_logarithm_of_a_named_attribute_is_learned(family, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people = "".join(f"person {number}\tpeople\t{50 if number else 4000}\n" for number in range(PEOPLE))
    (family / "numbers.tsv").write_text(f"{people}town 0\theight\t-3\n")
    options = ["--data", "family", "--dimensions", "4", "--epochs", "2"]
    assert not trained(tmp_path, "transea", *options).scales["people"].logarithm
    shutil.rmtree("model")
    scales = trained(tmp_path, "transea", *options, "--logarithm", "people").scales
    assert scales["people"].logarithm and not scales["height"].logarithm
    for name, message in {"height": "expected positive values of 'height', found -3 in", "peopel": "'people'"}.items():
        with pytest.raises(InputError, match=f"--logarithm: .*{message}"):
            train("transea", *options, "--logarithm", name)


def test_the_same_seed_gives_the_same_model(family, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        folders = ["--data", str(family), "--out", str(tmp_path / name)]
        line = ["train", "transea", *folders, "--epochs", "2", "--seed", str(seed)]
        assert CliRunner().invoke(app, line, catch_exceptions=False).exit_code == 0
    first, again, other_seed = ((tmp_path / name / "model.safetensors").read_bytes() for name in "abc")
    assert first == again != other_seed


WORDS = {"sport": ["goal", "match", "team", "player"], "food": ["bread", "soup", "cheese", "apple"]}


def reviews(number):
    """Lines of label, tab, text; which words a text has says its label."""
    rng = np.random.default_rng(0)
    for _ in range(number):
        label = str(rng.choice(list(WORDS)))
        words = [str(rng.choice([*WORDS[label], "the", "a", "with"])) for _ in range(8)]
        yield f"{label}\t{' '.join([*words[:4], str(rng.choice(WORDS[label]))]).capitalize()}. {' '.join(words[4:])}."


SIZES = {
    "hcan": ["--size", "16"],
    "lmtgru": ["--units", "16", "--filters", "8"],
    "complex_embedding": ["--dimensions", "16"],
}


@pytest.mark.parametrize("system", SIZES)
def test_a_table_of_labels_and_texts_classifies_new_text(tmp_path, system, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tsv").write_text("\n".join(reviews(200)) + "\n")
    options = ["--data", "mine.tsv", "--learning-rate", "0.01", "--epochs", "6"]
    model = trained(tmp_path, system, *options, *SIZES[system])
    answers = model.classify(["A match with a team.", "Soup, bread and cheese!", "", "zzz"])
    assert [answer.label for answer in answers[:2]] == ["sport", "food"]
    assert answers[0].known_words > 2 and [answer.known_words for answer in answers[2:]] == [0, 0]


def test_texts_of_which_a_part_is_read_are_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [*reviews(60), f"food\t{'soup ' * 40}.", f"sport\t{'A match. ' * 8}"]
    (tmp_path / "mine.tsv").write_text("\n".join(rows) + "\n")
    options = ["--data", "mine.tsv", "--epochs", "1", *SIZES["lmtgru"]]
    said = r"of 2 of \d+ texts a part is read: the first 5 sentences, and 30 words of each \(--sentences, --length\)"
    assert re.search(said, notes_of("lmtgru", *options))
    assert "a part is read" not in notes_of("lmtgru", *options, "--sentences", "9", "--length", "60")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n", "triples.tsv, line 1: expected head, relation, tail between tabs, found 2 fields"),
        (None, "there is no graph; expected triples.tsv"),
    ],
)
def test_mistakes_are_named_and_leave_nothing(tmp_path, text, message):
    (tmp_path / "mine").mkdir()
    if text:
        (tmp_path / "mine" / "triples.tsv").write_text(text)
    line = ["train", "transea", "--data", str(tmp_path / "mine"), "--out", str(tmp_path / "out"), "--epochs", "3"]
    with pytest.raises(InputError, match=message):
        CliRunner().invoke(app, line, catch_exceptions=False)
    assert not (tmp_path / "out").exists()


def test_a_system_that_is_not_there_names_the_nearest():
    with pytest.raises(InputError, match=r"there is no such system; did you mean 'hcan'\?"):
        CliRunner().invoke(app, ["train", "hcann", "--data", "x"], catch_exceptions=False)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.train.__name__)
def test_the_line_of_an_example_has_the_fields_of_its_system(command):
    """The line is read as a record of a class that the system loads; the fields of a caption model are its own."""
    load = importlib.import_module(f"repline.systems.{command.train.__name__}.use").load
    loaded = typing.get_type_hints(load)["return"]
    fields = {
        (getattr(kind, "fields", ("tags",)), kind.optional_fields) for kind in typing.get_args(loaded) or (loaded,)
    }
    read = [records for kind_fields in fields if (records := _records(command.line, *kind_fields))]
    assert read, f"{command.line}: expected one of {fields}"


def _records(line, fields, optional_fields):
    try:
        return list(read_records([(1, line)], "example", fields, optional_fields))
    except InputError:
        return None


def test_every_system_has_a_command():
    assert [command.train.__name__ for command in COMMANDS] == [system.name for system in SYSTEMS]
    listed = CliRunner().invoke(app, ["train", "--help"]).stdout
    for system in SYSTEMS:
        assert re.search(rf"^  {system.name} +{re.escape(system.summary[:40])}", listed, re.MULTILINE)


def test_every_system_is_trained_in_a_test_that_checks_raw_input():
    names = set()
    for path in Path(__file__).parent.glob("test_train*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.Name) and node.id == "trained" for node in ast.walk(tree)):
            names |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert {system.name for system in SYSTEMS} <= names


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.train.__name__)
def test_help_ends_with_an_example_whose_options_are_there(command):
    result = CliRunner().invoke(app, ["train", command.train.__name__.replace("_", "-"), "--help"])
    assert result.exit_code == 0 and "Usage:" in result.stdout
    first, second = (line.strip() for line in result.stdout.rstrip().splitlines()[-2:])
    assert "\n".join((first, second)) == command.example and second.endswith("| repline predict model -")
    options = re.findall(r"--[a-z-]+", result.stdout[: result.stdout.index("Example:")])
    assert set(re.findall(r"--[a-z-]+", first)) <= set(options)
    required = re.findall(r"^  (--[a-z-]+)(?:(?!\n  --)[\s\S])*?\[required\]", result.stdout, re.MULTILINE)
    assert set(required) <= set(first.split())
