"""Data travels with the commit that describes it: projects are pushed, cloned, pulled, run again, and compared."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from repline.cards import read_card
from tests.pipeline.conftest import FLOWS, PATIENCE, Checkout

PROJECT = Path(__file__).parents[2]
CORPUS = """\
from pathlib import Path
import pyarrow as pa, pyarrow.parquet as pq, yaml
from repline.cards import read_card
from repline.cards import write_card
from repline.files import new_folder

words = yaml.safe_load(Path("params.yaml").read_text())["words"]
with new_folder("data/corpora/toy") as partial:
    pq.write_table(pa.table({"tokens": [[str(word)] for word in range(words)]}), partial / "part-00000.parquet")
    write_card(partial, name="toy", description="Numbers", licence="CC0", sources=[], parameters={"words": words},
        counts={"sentences": words})
"""
EVALUATE = """\
import pyarrow.parquet as pq
from repline.files import new_folder, write_json

rows = pq.read_metadata("data/corpora/toy/part-00000.parquet").num_rows
with open("data/scratch/runs", "a") as runs:
    print(rows, file=runs)
write_json("data/evaluation/toy/metrics.json", {"rows": rows})
write_json("data/evaluation/toy/claims.json", [])
with new_folder("data/evaluation/toy/plots") as partial:
    write_json(partial / "rows.json", [{"x": row, "y": rows} for row in range(2)])
"""
DVC_YAML = {
    "stages": {
        "corpus": {
            "cmd": "python corpus.py",
            "deps": ["corpus.py"],
            "params": ["words"],
            "outs": ["data/corpora/toy"],
        },
        "evaluate": {
            "cmd": "mkdir -p data/scratch && python evaluate.py",
            "deps": ["evaluate.py", "data/corpora/toy"],
            "outs": ["data/evaluation/toy/claims.json", "data/evaluation/toy/plots/rows.json"],
            "metrics": [{"data/evaluation/toy/metrics.json": {"cache": False}}],
        },
    },
    "plots": [{"data/evaluation/toy/plots/rows.json": {"x": "x", "y": "y"}}],
}


class Clone:
    """A Git and DVC repository, and what `dvc` and `git` say in it."""

    def __init__(self, root, environment):
        self.root, self.environment = root, environment

    def git(self, *arguments):
        process = subprocess.run(
            ["git", *arguments], cwd=self.root, env=self.environment, capture_output=True, text=True
        )
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout

    def dvc(self, *arguments):
        """What the command prints."""
        process = FLOWS.start(self.root, "dvc", *arguments, environment=self.environment)
        printed, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, printed + errors
        return printed

    def shown(self, *arguments):
        """What a command of DVC prints as JSON."""
        return json.loads(self.dvc(*arguments, "--json"))

    def commit(self, message, tag):
        author = ("-c", "user.name=A Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")
        self.git("add", ".")
        self.git(*author, "commit", "-q", "-m", message)
        self.git("tag", tag)

    def clone(self, root):
        self.git("clone", "-q", str(self.root), str(root))
        return Clone(root, self.environment)

    def words(self, number):
        (self.root / "params.yaml").write_text(f"words: {number}\n")

    def runs(self):
        path = self.root / "data/scratch/runs"
        return path.read_text().split() if path.exists() else []

    def assert_git_sees_no_change(self):
        assert self.git("status", "--porcelain") == ""


def bytes_of(folder):
    """sha256 of every file by its path in `folder`."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def published(tmp_path_factory, environment):
    """A project with two commits, two words and then three, whose data is in a remote; not to be changed."""
    folder = tmp_path_factory.mktemp("snapshots")
    project = Clone(folder / "project", environment | {"PYTHONPATH": str(PROJECT)})
    (project.root / ".dvc").mkdir(parents=True)
    for name in (".gitignore", ".dvcignore", ".dvc/config", ".dvc/.gitignore"):  # the project's own rules
        shutil.copy(PROJECT / name, project.root / name)
    for name, text in (("corpus.py", CORPUS), ("evaluate.py", EVALUATE), ("dvc.yaml", yaml.safe_dump(DVC_YAML))):
        (project.root / name).write_text(text)
    project.git("init", "-q")
    project.dvc("remote", "add", "-q", "-d", "store", str(folder / "store"))
    for words in (2, 3):
        project.words(words)
        project.dvc("repro", "-q")
        project.commit(f"Snapshot of {words} words", f"words-{words}")
        project.dvc("push", "-q")
    return project


def test_git_keeps_the_locks_and_the_metrics_and_no_other_output(published):
    published.assert_git_sees_no_change()
    tracked = set(published.git("ls-files").split())
    assert {name for name in tracked if name.startswith("data/")} == {"data/evaluation/toy/metrics.json"}
    assert "dvc.lock" in tracked and "data/.gitignore" not in tracked


def test_a_clone_shows_metrics_before_it_has_any_data(published, tmp_path):
    clone = published.clone(tmp_path / "clone")
    (change,) = clone.shown("metrics", "diff", "words-2").values()
    assert change == {"rows": {"old": 2, "new": 3, "diff": 1}}
    (head, *_) = clone.shown("exp", "show")
    shown = head["data"]["metrics"]["data/evaluation/toy/metrics.json"]["data"]
    assert shown == {"rows": 3}
    clone.assert_git_sees_no_change()


def test_a_clone_pulls_the_same_bytes_and_has_nothing_to_run(published, tmp_path):
    clone = published.clone(tmp_path / "clone")
    clone.dvc("pull", "-q")
    for name in ("corpora", "evaluation"):
        assert bytes_of(clone.root / "data" / name) == bytes_of(published.root / "data" / name)
    assert set(bytes_of(clone.root / "data/corpora/toy")) == {"card.json", "part-00000.parquet"}
    clone.dvc("repro", "-q")
    assert clone.runs() == []
    clone.assert_git_sees_no_change()
    (plots,) = clone.shown("plots", "diff", "words-2", "--split")["data"].values()
    points = plots[0]["anchor_definitions"]["<DVC_METRIC_DATA>"]
    assert {(point["rev"], point["y"]) for point in points} == {("words-2", 2), ("workspace", 3)}


def test_any_commit_of_the_data_can_be_had_without_a_clone(published, tmp_path):
    for words in (2, 3):
        out = tmp_path / str(words)
        published.dvc("get", "--rev", f"words-{words}", str(published.root), "data/corpora/toy", "-o", str(out))
        assert read_card(out)["counts"] == {"sentences": words}
    assert bytes_of(tmp_path / "3") == bytes_of(published.root / "data/corpora/toy")
    assert bytes_of(tmp_path / "2") != bytes_of(tmp_path / "3")


def test_a_clone_that_has_no_data_makes_it_anew_and_ends_with_the_same_locks(published, tmp_path):
    clone = published.clone(tmp_path / "clone")
    clone.dvc("repro", "-q")
    assert clone.runs() == ["3"]
    for name in ("corpora", "evaluation"):
        assert bytes_of(clone.root / "data" / name) == bytes_of(published.root / "data" / name)
    clone.assert_git_sees_no_change()


def test_metrics_come_out_of_the_run_cache_like_every_output(published, tmp_path):
    clone = published.clone(tmp_path / "clone")
    metrics = clone.root / "data/evaluation/toy/metrics.json"
    clone.dvc("repro", "-q")
    for words in (4, 3, 4):
        clone.words(words)
        clone.dvc("repro", "-q")
        assert json.loads(metrics.read_text()) == {"rows": words}
    assert clone.runs() == ["3", "4"]
    clone.words(3)
    clone.dvc("repro", "-q")
    clone.assert_git_sees_no_change()


def test_a_restored_metrics_file_is_no_link_into_the_cache(published, tmp_path):
    """Git may rewrite the file at any time, so writing to it must not reach DVC's cache."""
    clone = published.clone(tmp_path / "clone")
    clone.dvc("config", "cache.type", "hardlink,symlink")
    metrics = clone.root / "data/evaluation/toy/metrics.json"
    clone.dvc("repro", "-q")
    metrics.unlink()
    clone.dvc("repro", "-q")
    assert clone.runs() == ["3"] and not metrics.is_symlink() and metrics.stat().st_nlink == 1


def test_all_that_the_stages_wrote_comes_back_in_a_clone(undisturbed, expected, environment, tmp_path):
    """The stages of the project itself: what `dvc pull` brings is complete, and DVC finds nothing to run."""
    project = Clone(undisturbed.copy(tmp_path / "project", cache=True).root, environment)
    project.dvc("remote", "add", "-q", "-d", "store", str(tmp_path / "store"))
    project.commit("What the stages wrote", "tiny")
    project.dvc("push", "-q")
    clone = project.clone(tmp_path / "clone")
    clone.dvc("pull", "-q")
    checkout = Checkout(clone.root, environment, undisturbed.python)
    assert checkout.outputs() == expected
    checkout.assert_clean()
    clone.assert_git_sees_no_change()


def test_every_parquet_file_of_a_corpus_is_of_a_table_that_docs_snapshots_opens(undisturbed):
    """The page says how: `load_dataset("parquet", data_files="FOLDER/TABLE.parquet")`, or `TABLE-*.parquet`."""
    for card in sorted(undisturbed.root.glob("data/corpora/**/card.json")):
        tables = [table["name"] for table in json.loads(card.read_text(encoding="utf-8"))["recordSet"]]
        opened = []
        for table in tables:
            files = [*card.parent.glob(f"{table}.parquet"), *card.parent.glob(f"{table}-*.parquet")]
            schemas = [pq.read_schema(file) for file in files]
            assert files and all(schema.equals(schemas[0]) for schema in schemas), f"{card}: {table}"
            opened += files
        assert opened and sorted(opened) == sorted(card.parent.rglob("*.parquet")), card


def test_git_keeps_every_metric():
    """So `dvc metrics` and `dvc exp show` have them in a clone that has pulled nothing."""
    documents = [
        yaml.safe_load(path.read_text()) for path in [PROJECT / "dvc.yaml", *PROJECT.glob("stages/*/dvc.yaml")]
    ]
    stages = [stage.get("do", stage) for document in documents for stage in document["stages"].values()]
    metrics = [metric for stage in stages for metric in stage.get("metrics", ())]
    cached = [
        metric
        for metric in metrics
        if isinstance(metric, str) or any(options.get("cache", True) for options in metric.values())
    ]
    assert metrics and cached == []
    ignored = subprocess.run(
        ["git", "check-ignore", "--no-index", "--", *(path for metric in metrics for path in metric)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert ignored.stdout == ""
