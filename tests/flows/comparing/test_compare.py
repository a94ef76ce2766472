"""`compare`: metrics of revisions, of the workspace and of a reference, with tolerances and intervals."""

import json
import subprocess
import sys

import pytest
from pygit2 import GitError

from flows.comparing import comparison, tolerances, values
from flows.comparing.comparison import compare
from flows.comparing.tolerances import Tolerance, Tolerances
from flows.comparing.values import Value, flat
from flows.errors import InputError
from tests.commands import ROOT


@pytest.fixture
def project(tmp_path):
    """A repository of Git and DVC with a metrics file at two revisions, and another state in the workspace."""

    def git(*words):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True, stdout=-3
        )

    def write(content):
        (tmp_path / "metrics.json").write_text(json.dumps(content), encoding="utf-8")

    git("init", "--quiet")
    subprocess.run([sys.executable, "-m", "dvc", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / "dvc.yaml").write_text("metrics: [metrics.json]\nplots: [loss.csv]\n", encoding="utf-8")
    (tmp_path / "loss.csv").write_text("step,loss\n0,1.0\n1,0.5\n", encoding="utf-8")
    write({"accuracy": 0.80, "inner": {"loss": 2.0}, "runs": [0.7, 0.8, 0.9]})
    git("add", "--all")
    git("commit", "--quiet", "--message", "First")
    git("tag", "first")
    write({"accuracy": 0.81, "inner": {"loss": 2.0}, "runs": [0.75, 0.85, 0.89]})
    git("commit", "--quiet", "--all", "--message", "Second")
    write({"accuracy": 0.90, "runs": [0.1, 0.1, 0.1], "more": 1})
    return tmp_path


def run(project, *options):
    command = [sys.executable, "-m", "flows", "compare", *options]
    return subprocess.run(
        command, cwd=project, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT), "PATH": ""}
    )


def test_metrics_of_two_revisions(project):
    process = run(project, "first", "HEAD")
    assert process.returncode == 1
    assert "metrics.json:accuracy" in process.stdout and "+0.01" in process.stdout and "outside" in process.stdout
    assert "loss" not in process.stdout  # the same
    assert "1 the same, 1 within" in process.stderr  # the mean of the replicates lies in their earlier interval
    (project / "tolerances.yaml").write_text('"*:accuracy": {absolute: 2e-2}\n', encoding="utf-8")
    assert run(project, "first", "HEAD").returncode == 0


def test_a_repository_of_another_user_is_told(project, monkeypatch):
    def refuse(_):
        raise GitError("repository path is not owned by current user")

    monkeypatch.setattr(values, "Repo", refuse)
    with pytest.raises(InputError, match=r"the metrics of HEAD .* not owned .*safe.directory "):
        values.metrics(project, "HEAD")


def test_the_workspace_with_a_revision_and_with_a_reference(project):
    by_name = {row["name"]: row for row in json.loads(run(project, "--format", "json").stdout)}
    assert {name: row["status"] for name, row in by_name.items()} == {
        "metrics.json:accuracy": "outside",
        "metrics.json:inner.loss": "gone",
        "metrics.json:more": "new",
        "metrics.json:runs": "outside",
    }
    assert by_name["metrics.json:accuracy"]["earlier"]["value"] == 0.81
    assert run(project, "--save", "reference.json").returncode == 0
    assert run(project, "--reference", "reference.json").returncode == 0
    assert run(project, "HEAD", "--reference", "reference.json").returncode == 1


def test_rows_of_plots_are_compared_where_asked(project):
    (project / "loss.csv").write_text("step,loss\n0,1.0\n1,0.25\n", encoding="utf-8")
    assert "loss.csv" not in run(project).stdout
    assert "loss.csv:[1].loss" in run(project, "--plots", "--format", "markdown").stdout


@pytest.mark.parametrize(
    "options, message",
    [
        (["nowhere"], "nowhere"),
        (["a", "b", "c"], "at most two revisions, found 3"),
        (["--reference", "gone.json"], "gone.json: expected metrics that `compare --save` wrote"),
        (["--tolerances", "gone.yaml"], "gone.yaml: the tolerances cannot be read"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(project, options, message):
    process = run(project, *options)
    assert process.returncode == 1 and message in process.stderr and "Traceback" not in process.stderr
    assert len(process.stderr.strip().splitlines()) == 1


def test_a_damaged_file_of_metrics_is_named(project):
    (project / "metrics.json").write_text('{"accuracy"', encoding="utf-8")
    process = run(project)
    assert process.returncode == 1 and "metrics.json: the metrics cannot be parsed" in process.stderr


def test_without_git_only_references_are_compared(tmp_path):
    subprocess.run([sys.executable, "-m", "dvc", "init", "--quiet", "--no-scm"], cwd=tmp_path, check=True)
    (tmp_path / "dvc.yaml").write_text("metrics: [metrics.json]\n", encoding="utf-8")
    (tmp_path / "metrics.json").write_text('{"accuracy": 0.8}', encoding="utf-8")
    assert "does not use; write the metrics by --save" in run(tmp_path).stderr
    assert run(tmp_path, "--save", "reference.json").returncode == 0
    assert "1 the same" in run(tmp_path, "--reference", "reference.json").stderr


def test_the_last_pattern_that_fits_counts():
    rules = Tolerances(
        [("*", Tolerance(relative=0.1)), ("m:loss.*", Tolerance(absolute=1)), ("m:loss.b", Tolerance(ignored=True))]
    )
    earlier = {"m:a": Value(10.0), "m:loss.a": Value(10.0), "m:loss.b": Value(1.0)}
    later = {"m:a": Value(11.0), "m:loss.a": Value(11.5), "m:loss.b": Value(2.0)}
    assert [difference.status for difference in compare(earlier, later, rules)] == ["within", "outside"]


@pytest.mark.parametrize("text", ["- a", "a: 1", "a: {near: 1}", "a: {absolute: -1}", "a: {relative: .nan}", "a: {}"])
def test_wrong_tolerances_are_refused(tmp_path, text):
    (tmp_path / "tolerances.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"tolerances\.yaml"):
        tolerances.read(None, tmp_path)


def test_values_of_every_kind_have_a_flat_name():
    content = {
        "a": {"value": 0.8, "interval": [0.7, 0.9]},
        "b": [1, 2],
        "c": "text",
        "d": True,
        "e": [1.0, 2.0, 6.0],
        "f": None,
    }
    flattened = flat({"m.json": content, "n.json": 3})
    assert flattened["m.json:a"] == Value(0.8, (0.7, 0.9))
    assert flattened["m.json:b[1]"] == Value(2)
    assert flattened["m.json:c"].number is None and flattened["m.json:d"].number is None
    assert flattened["m.json:e"].value == 3.0 and flattened["m.json:e"].interval == pytest.approx((1.05, 5.8))
    assert flattened["n.json:value"] == Value(3)
    statuses = [difference.status for difference in compare(flattened, flattened, Tolerances())]
    assert set(statuses) == {"same"} and not comparison.fails(compare({}, flattened, Tolerances()))
    assert values.flat({"m": {"x": float("nan")}}).keys() == {"m:x"}


def test_nan_is_itself_and_no_other_number():
    nan, number = {"m:x": Value(float("nan"))}, {"m:x": Value(1.0)}
    assert compare(nan, nan, Tolerances())[0].status == "same"
    assert compare(nan, number, Tolerances([("*", Tolerance(absolute=9))]))[0].status == "outside"
