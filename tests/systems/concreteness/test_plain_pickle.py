"""Plain values are read out of pickles, and nothing of them is executed."""

import os
import pickle

import pytest

from repline.errors import InputError
from repline.systems.concreteness.plain_pickle import read_plain_pickle

VALUE = {("A", "N"): {"CNC": 201, "IMG": None, "x": [1.5, -3, 2**40, "é", True, False, (), (1, 2, 3, 4)]}, "B": {}}


@pytest.mark.parametrize("protocol", [4, 5])
def test_plain_values_come_back(tmp_path, protocol):
    path = tmp_path / "a.pickle"
    path.write_bytes(pickle.dumps([VALUE, VALUE], protocol=protocol))
    assert read_plain_pickle(path) == [VALUE, VALUE]


class Runs:
    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (self.marker,)


def test_nothing_is_executed(tmp_path):
    path, marker = tmp_path / "a.pickle", tmp_path / "ran"
    path.write_bytes(pickle.dumps({"a": Runs(str(marker))}, protocol=4))
    with pytest.raises(InputError, match="the pickle operation STACK_GLOBAL"):
        read_plain_pickle(path)
    assert not marker.exists()
    pickle.loads(path.read_bytes())  # so the file would have run something
    assert marker.exists()


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(VALUE, protocol=4)[:-20]])
def test_a_broken_file_is_one_sentence(tmp_path, content):
    path = tmp_path / "a.pickle"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"this is no whole pickle|pickle operation"):
        read_plain_pickle(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read_plain_pickle(tmp_path / "a.pickle")
