"""A parameter found by the keys in its name is the one that DVC finds by searching."""

import dpath
import pytest
from dvc.dependency import param
from dvc.fs import LocalFileSystem

from flows.inside_dvc.find_parameters import find_parameters_by_name

PARAMETERS = "a: {b: {c: 1}, d: [10, {e: 2}], 7: x, empty: {}, none: null}\nwith.dot: 3\nf: [a, b]\n"
NAMES = ["a", "a.b", "a.b.c", "a.d", "a.d.0", "a.d.1.e", "a.7", "a.empty", "a.none", "f", "f.1", "a.*.c", "a.b.?"]
MISSING = ["x", "a.x", "a.b.c.d", "a.d.9", "with.dot", "a.empty.b", "a.none.b"]


@pytest.fixture
def read(tmp_path, monkeypatch):
    """What DVC reads of these parameters."""
    monkeypatch.setattr(param, "dpath", dpath)
    path = tmp_path / "params.yaml"
    path.write_text(PARAMETERS)
    return lambda *names, flatten=True: param.read_param_file(LocalFileSystem(), str(path), list(names), flatten)


@pytest.mark.parametrize("name", [*NAMES, *MISSING])
def test_each_name_is_found_as_before(read, name):
    before, tree = read(name), read(name, flatten=False)
    assert bool(before) == (name in NAMES)
    find_parameters_by_name()
    find_parameters_by_name()
    assert read(name) == before and read(name, flatten=False) == tree


def test_a_name_leads_there_without_a_search(read, monkeypatch):
    monkeypatch.setattr(dpath, "get", None)
    find_parameters_by_name()
    assert read("a.b.c", "a.empty") == {"a.b.c": 1, "a.empty": {}}
