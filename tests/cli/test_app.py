"""The command `repline` on a folder of word vectors, in a folder that is no checkout."""

import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

import repline
from repline.cli import app as cli
from repline.cli.app import app
from repline.cli.system_table import SYSTEMS
from repline.errors import InputError, Notice
from repline.use.folders import describe
from repline.vectors import store
from repline.version import VERSION
from tests.commands import ROOT

WORDS = ["king", "queen", "apple"]
MATRIX = np.array([[1, 0], [3, 4], [-4, 3]], np.float32)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "vectors"
    store.save(folder, WORDS, MATRIX)
    return folder


def run(*arguments, cwd, input=""):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    command = [sys.executable, "-m", "repline", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, input=input, capture_output=True, text=True)


def test_predict_from_the_standard_input(vectors, tmp_path):
    process = run("predict", vectors, cwd=tmp_path, input="king\nunknown\n\n")
    assert process.returncode == 0, process.stderr
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert answers[0] == {
        "word": "king",
        "known": True,
        "vector": [1.0, 0.0],
        "most_similar": [["queen", 0.6], ["apple", -0.8]],
    }
    assert answers[1:] == [
        {"word": word, "known": False, "vector": None, "most_similar": None} for word in ("unknown", "")
    ]
    assert list(tmp_path.iterdir()) == []


def test_predict_a_file_as_a_table(vectors, tmp_path):
    (tmp_path / "words.txt").write_text("queen\n")
    process = run("predict", vectors, "words.txt", "--form", "tsv", cwd=tmp_path)
    assert process.stdout.splitlines()[0] == "word\tknown\tvector\tmost_similar"
    assert process.stdout.splitlines()[1].startswith("queen\ttrue\t[3.0, 4.0]")


class Inverter:
    """A model that turns numbers round, and takes nothing else."""

    fields = ("number",)
    optional_fields = ()

    def answers(self, rows):
        if wrong := [row["number"] for row in rows if not row["number"].isdecimal()]:
            raise InputError(f"expected a number, found {wrong[0]!r}")
        return [{"inverse": 1 / int(row["number"])} for row in rows]


def test_predict_stops_at_a_line_without_an_answer_or_leaves_it_out(tmp_path, monkeypatch):
    monkeypatch.setattr("repline.load", lambda folder: Inverter())
    file = tmp_path / "numbers.txt"
    file.write_bytes(b'{"number": "2"}\n\n{"number": "x"}\n{"number": "4"}\n{"number": "\xe9"}\n[\n')
    stopped = CliRunner().invoke(app, ["predict", "model", str(file)])
    assert stopped.stdout == '{"number": "2", "inverse": 0.5}\n'
    assert str(stopped.exception) == f"{file}, line 3: expected a number, found 'x'"
    salvaged = CliRunner().invoke(app, ["predict", "model", str(file), "--on-error", "salvage", "--batch", "2"])
    assert [json.loads(line)["inverse"] for line in salvaged.stdout.splitlines()] == [0.5, 0.25]
    first, *named = salvaged.stderr.splitlines()
    assert first.startswith("salvaged: 3 wrong records left out: ")
    assert [line.split(":")[1] for line in named] == [f" numbers.txt, line {number}" for number in (3, 5, 6)]
    latin = CliRunner().invoke(app, ["predict", "model", str(file), "--encoding", "latin-1", "--on-error", "salvage"])
    assert "line 5: expected a number, found '\xe9'" in latin.stderr


def test_encode(vectors, tmp_path):
    (tmp_path / "words.txt").write_text("apple\nnothing\n")
    process = run("encode", vectors, "words.txt", "out.npy", cwd=tmp_path)
    zeros = "out.npy: 1 of them is zero, as of what is not known"
    assert process.returncode == 0
    assert process.stderr.splitlines() == ["out.npy: 2 vectors of 2 dimensions", zeros]
    assert np.load(tmp_path / "out.npy").tolist() == [[-4, 3], [0, 0]]


def test_the_first_field_of_a_line_is_encoded(tmp_path, monkeypatch):
    class Pairs:
        fields, optional_fields, dimensions = ("premise", "hypothesis"), ("language",), 1

        def encode(self, texts):
            return np.array([[len(text)] for text in texts], np.float32)

    monkeypatch.setattr(repline, "load", lambda model: Pairs())
    file, out = tmp_path / "pairs.txt", tmp_path / "out.npy"
    for lines in ("a\tbcd\nab\tc\n", '{"premise": "a", "hypothesis": "bcd"}\n{"premise": "ab"}\n', "a\nab\tc\ten\n"):
        file.write_text(lines)
        result = CliRunner().invoke(app, ["encode", "model", str(file), str(out)])
        assert result.exit_code == 0, result.output
        assert np.load(out).tolist() == [[1], [2]]


def test_mistakes_are_one_line(vectors, tmp_path):
    process = run("predict", "nowhere", cwd=tmp_path)
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "repline: nowhere: there is no such folder; a model is a folder with config.json\n"
    describe(tmp_path / "strange", "no_system", "x", {})
    assert "there is no system 'no_system' here" in run("predict", "strange", cwd=tmp_path).stderr
    (tmp_path / "strange/config.json").write_text("{")
    assert "config.json: this is no JSON" in run("predict", "strange", cwd=tmp_path).stderr
    (tmp_path / "strange/config.json").write_text("[" * 200_000)
    assert "config.json: this is no JSON" in run("predict", "strange", cwd=tmp_path).stderr
    assert "expected a language model" in run("evaluate", "agreement", vectors, cwd=tmp_path).stderr
    assert "in a checkout of the project" in run("reproduce", cwd=tmp_path).stderr


@pytest.mark.parametrize("command", ["", "predict", "encode", "systems", "extract", "push", "evaluate"])
def test_help(command):
    process = CliRunner().invoke(app, [*command.split(), "--help"])
    assert process.exit_code == 0 and "Usage:" in process.stdout


def test_version():
    process = CliRunner().invoke(app, ["--version"])
    assert (process.exit_code, process.stdout) == (0, f"{VERSION}\n")


@pytest.mark.parametrize("command", ["vectors", "encoder", "classifier", "graph"])
def test_help_of_evaluations(command):
    process = CliRunner().invoke(app, ["evaluate", command, "--help"], prog_name="repline")
    assert process.exit_code == 0 and process.stdout.startswith(f"usage: repline evaluate {command} ")
    assert "\\n" not in process.stdout


def test_a_graph_without_a_model_is_asked_for_by_the_names_of_the_usage():
    process = CliRunner().invoke(app, ["evaluate", "graph"], prog_name="repline")
    assert process.exit_code == 2 and "expected MODEL and DATA, or DATA and --compare MODEL MODEL" in process.output


def test_a_command_of_a_checkout_finds_it_by_its_files():
    """An installed command has its script's folder on the path of modules (-P: nothing), not the current one."""
    line = [sys.executable, "-P", "-c", "from repline.cli.app import main; main()", "reproduce", "--help"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert process.returncode == 0 and process.stdout.startswith("usage: python -m "), process.stderr


def test_the_help_of_report_says_what_it_writes():
    process = CliRunner().invoke(app, ["report", "--help"], prog_name="repline")
    assert process.exit_code == 0 and process.stdout.lstrip().startswith("Usage: repline report")
    assert "data/report/index.html" in process.stdout
    assert CliRunner().invoke(app, ["report", "--json"]).exit_code == 2


@pytest.mark.parametrize("command", ["reproduce", "report"])
def test_commands_of_a_checkout_say_elsewhere_what_they_do(command, tmp_path):
    process = run(command, "--help", cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    assert f"repline {command} " in process.stdout and "a checkout of the project" in process.stdout
    (tmp_path / "dvc.yaml").write_text("")
    for folder in ("stages", "flows"):  # of another project
        (tmp_path / folder).mkdir()
    process = run(command, cwd=tmp_path)
    assert (process.returncode, len(process.stderr.splitlines())) == (1, 1)


class LevelModel:
    """A language model that tells some words apart by rounding alone."""

    def prefers(self, prefix, right, wrong):
        return {"first": 1.0, "second": 2e-6, "third": -1.0}[prefix]


def test_words_that_rounding_tells_apart_are_not_right(tmp_path, monkeypatch):
    monkeypatch.setattr("repline.load", lambda folder: LevelModel())
    lines = "Prefix\tright\twrong\nfirst\tis\tare\nsecond\tis\tare\nthird\tis\tare\n"
    (tmp_path / "pairs.tsv").write_text(lines, encoding="utf-8-sig")
    output = CliRunner().invoke(app, ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv")]).stdout
    assert "right  0.333" in output and "1 of 3" in output
    assert "\n       1 pair has two equally probable words" in output
    command = ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv"), "--json", "-"]
    result = CliRunner().invoke(app, command)
    numbers = json.loads(result.stdout)
    low, high = numbers.pop("interval")
    assert numbers == {"accuracy": 1 / 3, "right": 1, "pairs": 3, "equally_probable": 1} and low < 1 / 3 < high
    assert result.stderr == output
    (tmp_path / "pairs.tsv").write_text("second\tis\tare\n" * 2, encoding="utf-8")
    output = CliRunner().invoke(app, ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv")]).stdout
    assert "right  0.000" in output and "\n       2 pairs have two equally probable words" in output


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("second\tis\tis ", "the right word and the wrong word are both 'is'"),
        ("second\t\tis", "the right word is empty"),
        ("second\tis\t ", "the wrong word is empty"),
        ("prefix\tright\twrong\tmore", "expected prefix, right, wrong separated by tabs, found 4 fields"),
    ],
)
def test_a_pair_that_no_model_can_judge_is_refused(tmp_path, monkeypatch, line, message):
    monkeypatch.setattr("repline.load", lambda folder: LevelModel())
    (tmp_path / "pairs.tsv").write_text(f"first\tis\tare\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"pairs\.tsv, line 2: {message}"):
        command = ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv")]
        CliRunner().invoke(app, command, catch_exceptions=False)


def test_the_columns_of_pairs_follow_their_head(tmp_path, monkeypatch):
    monkeypatch.setattr("repline.load", lambda folder: LevelModel())
    (tmp_path / "pairs.tsv").write_text("\nwrong\tRight\tprefix\nare\tis\tfirst\n\nare\tis\tthird\n", encoding="utf-8")
    command = ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv")]
    assert "1 of 2" in CliRunner().invoke(app, command).stdout
    (tmp_path / "pairs.tsv").write_text("wrogn\tright\tprefix\nare\tis\tfirst\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: 'wrogn' is nearly the name 'wrong'"):
        CliRunner().invoke(app, command, catch_exceptions=False)


def test_wrong_pairs_are_left_out_where_that_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr("repline.load", lambda folder: LevelModel())
    lines = ["first\tis\tare", "first\tis", "third\tis\tis", "third\tis\tare"]
    (tmp_path / "pairs.tsv").write_text("\n".join(lines), encoding="utf-8")
    command = ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv"), "--on-error", "salvage"]
    result = CliRunner().invoke(app, command)
    assert result.stdout.splitlines() == ["right  0.500 (0.095 to 0.905), 1 of 2"]
    assert (
        "salvaged: 2 wrong records left out" in result.stderr and "pairs.tsv, line 3: the right word" in result.stderr
    )


def test_a_message_about_pairs_names_no_option_of_another_command(tmp_path, monkeypatch):
    monkeypatch.setattr("repline.load", lambda folder: LevelModel())
    for text in ('{"prefix": "first", "right": "is", "wrong": "are"}\nno\n', '[{"prefix": "first"}]\n'):
        (tmp_path / "pairs.tsv").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="JSON") as error:
            command = ["evaluate", "agreement", "a-model", str(tmp_path / "pairs.tsv")]
            CliRunner().invoke(app, command, catch_exceptions=False)
        assert "--input" not in str(error.value)


def test_every_system_is_listed(tmp_path):
    folders = {path.parent.name for path in ROOT.glob("repline/systems/*/model.py")}
    folders |= {path.parent.name for path in ROOT.glob("repline/systems/*/settings.py")}
    assert {system.name for system in SYSTEMS} == folders
    listed = run("systems", cwd=tmp_path).stdout
    assert all(system.use in listed for system in SYSTEMS)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/small.json").write_text("[]")  # of another project
    assert run("systems", cwd=tmp_path).stdout == listed


def test_a_trained_model_is_listed_with_its_system_whatever_its_folder_is_called(tmp_path):
    for name in ("usif_encoder", "usif_encoder/another"):
        (tmp_path / "data/models" / name).mkdir(parents=True)
        describe(tmp_path / "data/models" / name, "usif", "text_encoder", {})
    (tmp_path / "data/models/usif/probe").mkdir(parents=True)
    (tmp_path / "data/models/usif/probe/config.json").write_text("{}")
    (tmp_path / "data/models/broken").mkdir()
    (tmp_path / "data/models/broken/raw_input.json").write_text("{}")
    listed = run("systems", cwd=tmp_path).stdout
    assert listed.count("data/models") == 1 and "data/models/usif_encoder and 1 more" in listed


def _raising(error):
    def command():
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device", "model/x"), "repline: model/x: No space left on device"),
        (OSError(28, "No space left on device"), "repline: the output: No space left on device"),
        (FloatingPointError("the loss of epoch 1 is not finite"), "repline: the loss of epoch 1 is not finite"),
    ],
)
def test_what_stops_a_command_is_one_line(monkeypatch, error, message):
    monkeypatch.setattr(cli, "app", _raising(error))
    monkeypatch.setattr(cli, "_discard_output", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == message


def test_a_notice_is_one_line_and_other_warnings_are_as_python_shows_them(monkeypatch, capsys):
    def command():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("a part is read", Notice, stacklevel=1)
            warnings.warn("of a library", UserWarning, stacklevel=1)

    monkeypatch.setattr(warnings, "showwarning", lambda message, category, *_: print(f"{category.__name__}: {message}"))
    monkeypatch.setattr(cli, "app", command)
    cli.main()
    printed = capsys.readouterr()
    assert printed.err == "repline: a part is read\n" and printed.out == "UserWarning: of a library\n"


def test_an_interrupt_in_the_writing_of_a_file_is_an_interrupt(monkeypatch):
    error = RuntimeError("the file is not complete")
    monkeypatch.setattr(cli, "app", _raising(error))
    with pytest.raises(RuntimeError):
        cli.main()
    error.__context__ = ValueError()
    error.__context__.__context__ = KeyboardInterrupt()
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130


def test_a_full_disk_is_one_line(tmp_path):
    store.save(tmp_path / "vectors", ["king"], np.ones((1, 2), np.float32))
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "repline", "predict", "vectors", "-"],
            input="king\n", stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False,
        )  # fmt: skip
    assert process.returncode == 1 and process.stderr == "repline: the output: No space left on device\n"
