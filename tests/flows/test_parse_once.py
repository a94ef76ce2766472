"""A file of parameters is parsed once, and anew when it has changed."""

from dvc.fs import LocalFileSystem
from dvc.utils import serialize

from flows.parse_once import parse_once


def test_a_file_is_parsed_once_until_it_changes_and_no_caller_changes_what_another_gets(tmp_path, monkeypatch):
    parse_once()
    parse_once()
    counted = []
    parse = serialize.load_yaml
    monkeypatch.setattr(serialize, "load_yaml", lambda path, **options: counted.append(path) or parse(path, **options))
    path, fs = tmp_path / "params.yaml", LocalFileSystem()
    path.write_text("a: {b: [1, 2]}\n")
    first = serialize.load_path(str(path), fs)
    first["a"]["b"].append(3)
    assert serialize.load_path(str(path), fs) == {"a": {"b": [1, 2]}} and len(counted) == 1
    path.write_text("a: {b: [1, 2, 4]}\n")
    assert serialize.load_path(str(path), fs) == {"a": {"b": [1, 2, 4]}} and len(counted) == 2
