"""A dvc.lock written stage by stage has DVC's own bytes, and only what is new in it is made."""

import datetime
import io
from pathlib import Path

import pytest
from dvc.exceptions import DvcException
from dvc.utils.serialize import _common, _yaml
from ruamel.yaml import YAML

from flows.inside_dvc import lock_files
from flows.inside_dvc.parse_once import parse_once

ROOT = Path(__file__).resolve().parents[3]
LOCKS = sorted(path.relative_to(ROOT) for path in ROOT.glob("stages/*/dvc.lock"))[::6]
STAGES = {
    "evaluate": {"cmd": "python -m a  --b 'c'", "deps": [{"path": "x", "md5": "0123", "size": 3}], "outs": []},
    "numbers": {"params": {"params.yaml": {"a": 1, "b": 1.0, "c": True, "d": 1e-05, "e": None, "f": -0.0, "g": 1e20}}},
    "on": {
        "params": {"params.yaml": {"yes": "no", "date": datetime.date(2026, 1, 2), "1": "1", "x.y": [[], {}, [[2]]]}}
    },
    "texts@0.1": {"cmd": ["one\ntwo\n", " three", "four: five  # six", "", "'", "日本語", "x " * 90, "\t", "a\n\n\nb"]},
    **{
        name: {"cmd": "echo"}
        for name in ("n" * 128, "n" * 300, "long with spaces " * 20, "? a", ": b", ":c", "- d", "1", "[q]*", "e: f")
    },
}


@pytest.fixture(autouse=True)
def written_well(monkeypatch):
    """DVC with our way to write, and as it was afterwards."""
    for module, name in ((_yaml, "parse_yaml_for_update"), (_common, "_dump_data")):
        monkeypatch.setattr(module, name, getattr(module, name))
    parse_once()
    lock_files.write_lock_files_well()


def by_dvc(stages):
    """The text that DVC writes."""
    stream = io.StringIO()
    _yaml._dump({"schema": "2.0", "stages": dict(sorted(stages.items()))}, stream)
    return stream.getvalue()


def write(path, stages):
    _common._dump_data(path, {"schema": "2.0", "stages": dict(stages)}, _yaml._dump)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS, ids=str)
def test_the_locks_of_this_project_are_read_as_dvc_reads_them_and_written_with_the_same_bytes(lock, tmp_path):
    text = (ROOT / lock).read_text(encoding="utf-8")
    read = _yaml.parse_yaml(text, str(lock))
    assert repr(read) == repr(YAML(typ="safe").load(text))
    path = tmp_path / "dvc.lock"
    assert write(path, read["stages"]) == write(path, read["stages"]) == by_dvc(read["stages"]) == text


def test_any_entry_is_written_as_dvc_writes_it_whatever_stood_there_before(tmp_path):
    path, written = tmp_path / "dvc.lock", {}
    for name, entry in [*STAGES.items(), *STAGES.items()]:
        written[name] = entry
        assert write(path, written) == by_dvc(written)
        assert repr(_yaml.parse_yaml(path.read_text(), str(path))["stages"]) == repr(dict(sorted(written.items())))
    changed = {**STAGES, "numbers": {"params": {"params.yaml": {"a": 1.0, "b": 1, "c": 1, "d": 1e-05}}}}
    assert write(path, changed) == by_dvc(changed)
    del changed["on"]
    assert write(path, changed) == by_dvc(changed)


def test_a_lock_whose_stages_refer_to_each_other_is_written_whole(tmp_path):
    path = tmp_path / "dvc.lock"
    path.write_text("schema: '2.0'\nstages:\n  a: &a\n    cmd: x\n  b: *a\n")
    stages = {**_yaml.parse_yaml_for_update(path.read_text(), str(path))["stages"], "c": {"cmd": "y"}}
    assert _yaml.parse_yaml(write(path, stages), str(path))["stages"] == stages


def test_only_the_new_stage_is_written_and_parsed(tmp_path, monkeypatch):
    path = tmp_path / "dvc.lock"
    before = {f"s{number}": {"cmd": f"echo {number} {tmp_path}"} for number in range(9)}
    text = write(path, before)
    dumped, parsed, load = [], [], YAML.load
    monkeypatch.setattr(YAML, "load", lambda self, text: parsed.append(text) or load(self, text))
    read = _yaml.parse_yaml_for_update(text, str(path))
    assert len(parsed) == 9
    read["stages"]["s4"] = {"cmd": "other"}
    _common._dump_data(path, read, lambda data, file: dumped.append(list(data["stages"])) or _yaml._dump(data, file))
    assert dumped == [["s4"]] and path.read_text() == by_dvc(read["stages"])
    assert _yaml.parse_yaml(path.read_text(), str(path)) == read and len(parsed) == 10


@pytest.mark.parametrize(
    "broken",
    [
        "schema: '2.0'\nstages:\n  a:\n    cmd: x\n<<<<<<< ours\n  b:\n    cmd: y\n",
        "schema: '2.0'\nstages:\n  a:\n    cmd: x\n  a:\n    cmd: y\n",
        "schema: '2.0'\nstages:\n  a:\n    cmd: [x\n",
    ],
    ids=["a merge conflict", "a stage twice", "no yaml"],
)
def test_a_broken_lock_is_told_with_its_file(tmp_path, broken):
    with pytest.raises(DvcException, match=r"here/dvc\.lock"):
        _yaml.parse_yaml(broken, "here/dvc.lock")


@pytest.mark.parametrize(
    "text", ["", "a: 1\n", "stages:\n  a:\n    cmd: x\n", lock_files.HEAD, f"{lock_files.HEAD}a: 1\n"]
)
def test_another_file_is_no_lock(text):
    assert lock_files.blocks(text) is None


def test_a_lock_with_datasets_is_written_whole(tmp_path):
    data = {"schema": "2.0", "datasets": [{"name": "d"}], "stages": {"b": {"cmd": "x"}, "a": {"cmd": "y"}}}
    path = tmp_path / "dvc.lock"
    for _ in range(2):
        _common._dump_data(path, dict(data), _yaml._dump)
        assert _yaml.parse_yaml(path.read_text(), str(path)) == data
