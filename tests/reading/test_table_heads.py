"""Heads of tables: recognised in any case and order, refused with their line where something is wrong in them."""

from pathlib import Path

import pytest

from repline.errors import InputError
from repline.reading.table_heads import WrongHead, below_head, is_head
from repline.reading.wrong_records import LeftOut
from repline.systems.jet.gold_mentions import read_mentions


@pytest.mark.parametrize("fields", [("sorce", "target"), ("source", "targte"), ("Source", "target.")])
def test_a_head_with_a_slip_is_refused(fields: tuple[str, str]) -> None:
    heads = {("source", "target"), ("word", "translation")}
    with pytest.raises(WrongHead, match=r"^.* is nearly the name '(source|target)' of a column"):
        is_head("auto", fields, heads)
    assert not is_head("no", fields, heads)
    assert not is_head("auto", ("word", "Wort"), heads)
    assert is_head("auto", ("SOURCE ", "target"), heads) and is_head("yes", ("a", "b"), heads)
    with pytest.raises(WrongHead, match=r"^the head names the columns in another order; expected sour"):
        is_head("auto", ("target", "source"), heads)


def test_an_error_in_a_head_names_the_line_that_the_head_is_in(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("\n\ntrem\tentity\tcontext\nbass\tfish\tin the sea\n")
    with pytest.raises(InputError, match=r"a\.tsv, line 3: 'trem' is nearly the name 'term' of a column"):
        read_mentions(path)
    path.write_text("# by hand\nterm\tentity\tcontxt\nbass\tfish\tin the sea\n")
    with pytest.raises(InputError, match=r"a\.tsv, line 2: 'contxt' is nearly"):
        read_mentions(path)


def test_only_the_first_filled_line_is_a_head() -> None:
    def rows(*lines: str) -> list[tuple[int, str]]:
        left_out = LeftOut("salvage")
        numbered = list(enumerate(lines, start=1))
        below = below_head("a.tsv", numbered, left_out, lambda line: is_head("auto", line.split(), heads))
        return [*below, (left_out.reasons.total(), "wrong")]

    heads = [("word", "sense")]
    assert rows("", "word sense", "bass fish", "word sense") == [(3, "bass fish"), (1, "wrong")]
    assert rows("bass fish", " ", "word sense") == [(1, "bass fish"), (3, "word sense"), (0, "wrong")]
    assert rows() == rows("", " ") == [(0, "wrong")]
