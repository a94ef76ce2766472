"""Wrong records: raised at once, or counted by reason with the first five named."""

import pickle

import pytest

from repline.errors import InputError
from repline.reading.wrong_records import LeftOut, WrongRecord


def problem(line, reason="a field is missing"):
    return WrongRecord("/data/a.tsv", f"line {line}", f"expected 3 fields, found {line}", reason)


def test_stop_raises_the_record_with_its_place():
    with pytest.raises(InputError, match=r"^/data/a\.tsv, line 7: expected 3 fields, found 7$"):
        LeftOut("stop").add(problem(7))


def test_salvage_counts_reasons_and_names_the_first_five_by_file_name():
    left_out = LeftOut("salvage")
    assert left_out.notes() == []
    for line in range(1, 8):
        left_out.add(problem(line))
    left_out.add(problem(9, "no text"))
    assert left_out.notes() == [
        "salvaged: 8 wrong records left out: 7 (a field is missing), 1 (no text)",
        *[f"left out: a.tsv, line {line}: expected 3 fields, found {line}" for line in range(1, 6)],
    ]
    assert LeftOut.of(left_out) is left_out
    assert LeftOut.of("salvage").on_error == "salvage"


def test_a_wrong_record_crosses_processes():
    copy = pickle.loads(pickle.dumps(problem(3)))
    assert (str(copy), copy.reason, copy.named) == (str(problem(3)), problem(3).reason, problem(3).named)


def test_a_cleared_account_is_as_a_new_one():
    left_out = LeftOut("salvage")
    left_out.add(problem(1))
    left_out.pass_over("phrases")
    left_out.merged["spellings"] += 1
    left_out.invisible["invisible_characters"] += 1
    left_out.clear()
    assert vars(left_out) == vars(LeftOut("salvage"))
