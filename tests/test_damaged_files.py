"""Every reader of text with one byte of its file changed: the same, one sentence, or another record of that line."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DataObject, data

from repline.errors import InputError
from tests.damaged_files import Change, changes, problem
from tests.text_readers import BY_NAME, Reader, records


@pytest.mark.parametrize("name", BY_NAME)
@settings(derandomize=True, database=None, deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(data())
def test_one_byte_changes_one_record_or_is_refused(name: str, data: DataObject) -> None:
    reader = BY_NAME[name]
    change = data.draw(changes(reader))
    assert problem(reader, change) is None, change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("graphs.graph_files-1", Change("entity2id.txt", "insert", 0, 0x1C)),  # white space, though not of a number
    ],
)
def test_what_the_fuzz_run_met_is_taken_well(name: str, change: Change) -> None:
    assert problem(BY_NAME[name], change) is None


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="latin-1").splitlines()


def without_bay(folder: Path) -> list[str]:
    return [line for line in lines_of(folder / "a.txt") if line != "bay"]


def whole_file_thrice(folder: Path) -> list[str]:
    return ["".join(lines_of(folder / "a.txt"))] * 3


def raising(error: Exception) -> Reader:
    def read(folder: Path) -> list[str]:
        lines = lines_of(folder / "a.txt")
        if "bad" not in lines:
            raise error
        return lines

    return Reader({"a.txt": "good\nbad\nugly\n"}, read)


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (raising(KeyError("bad")), "KeyError: 'bad'"),
        (raising(InputError("a.txt: expected\nbad")), "no sentence"),
        (raising(InputError("expected bad")), "names no file"),
        (raising(InputError("a.txt, line 2: expected bad")), None),
        (Reader({"a.txt": "good\nbad\nugly\n"}, lambda folder: lines_of(folder / "a.txt")), None),
        (Reader({"a.txt": "good\nbad\nugly\n"}, without_bay), "lost"),
        (Reader({"a.txt": "good\nbad\nugly\n"}, whole_file_thrice), "lost"),
    ],
)
def test_silent_changes_and_other_exceptions_are_seen(reader: Reader, expected: str | None) -> None:
    wrong = problem(reader, Change("a.txt", "replace", 7, ord("y")))
    assert wrong is None if expected is None else wrong is not None and expected in wrong


def test_lines_that_meet_may_change_both_records() -> None:
    reader = Reader({"a.txt": "good\n#bad\nugly\n"}, lambda folder: records(lines_of(folder / "a.txt")), comments="#")
    content = reader.contents()["a.txt"]
    assert Change("a.txt", "delete", 4, 0).parts_lines_otherwise(content, "")
    assert Change("a.txt", "insert", 2, ord("\n")).parts_lines_otherwise(content, "")
    assert Change("a.txt", "delete", 5, 0).parts_lines_otherwise(content, "#")
    assert not Change("a.txt", "delete", 5, 0).parts_lines_otherwise(content, "")
    assert problem(reader, Change("a.txt", "delete", 4, 0)) is None
