"""Parsing a YAML text once: the same text in any file is parsed once, and no caller changes another's copy."""

import pytest
from dvc.exceptions import DvcException
from dvc.fs import LocalFileSystem
from dvc.utils import serialize, strictyaml
from ruamel.yaml import YAML

from flows.inside_dvc.parse_once import parse_ahead, parse_once


@pytest.fixture
def parsed(monkeypatch):
    """The texts that were really parsed."""
    texts, load = [], YAML.load
    monkeypatch.setattr(YAML, "load", lambda self, text: texts.append(text) or load(self, text))
    parse_once()
    parse_once()
    return texts


def test_a_text_is_parsed_once_and_no_caller_changes_what_another_gets(tmp_path, parsed):
    path, copy, fs = tmp_path / "params.yaml", tmp_path / "dvc.yaml", LocalFileSystem()
    for file in (path, copy):
        file.write_text(f"a: {{b: [1, 2]}}  # {tmp_path}\n")  # a text that no other test has
    first = serialize.load_path(str(path), fs)
    first["a"]["b"].append(3)
    assert serialize.load_path(str(path), fs) == strictyaml.load(str(copy))[0] == {"a": {"b": [1, 2]}}
    assert len(parsed) == 1
    path.write_text(f"a: {{b: [1, 2, 4]}}  # {tmp_path}\n")
    assert serialize.load_path(str(path), fs) == {"a": {"b": [1, 2, 4]}} and len(parsed) == 2


def test_a_broken_text_is_told_with_each_file_that_has_it(tmp_path, parsed):
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text("a: [1\n")
        with pytest.raises(DvcException, match=name):
            strictyaml.load(str(tmp_path / name))


STAGES = """stages:
  one: {cmd: x, params: [a, {inputs.yaml: [b], data/digests.json: [c]}]}
  elsewhere: {cmd: x, wdir: sub, params: [{more.yml: }]}
  each: {foreach: [1], do: {cmd: x, params: [{'of_${item}.yaml': [d]}]}}
  nothing: {cmd: x}
"""


def test_the_parameter_files_of_a_stage_are_parsed_ahead(tmp_path, parsed):
    (tmp_path / "sub").mkdir()
    files = [tmp_path / name for name in ("params.yaml", "inputs.yaml", "sub/more.yml")]
    for file in files:
        file.write_text(f"a: 1  # {file}\n")  # a text that no other test has
    (tmp_path / "dvc.yaml").write_text(STAGES)
    parse_ahead(tmp_path, tmp_path / "dvc.yaml")
    count, fs = len(parsed), LocalFileSystem()
    assert [serialize.load_path(str(file), fs) for file in files] == [{"a": 1}] * 3 and len(parsed) == count
    for broken in ("stages: 3\n", "stages: {a: x}\n", "stages: {a: {params: 3}}\n", "stages: [\n", "a: b\n", ""):
        (tmp_path / "dvc.yaml").write_text(broken)
        parse_ahead(tmp_path, tmp_path / "dvc.yaml")
