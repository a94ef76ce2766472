"""The reader of CC-CEDICT."""

import pytest

from repline.errors import InputError
from repline.lexicons.cc_cedict import Entry, entries


def test_entries(tmp_path):
    path = tmp_path / "cedict.txt"
    path.write_text(
        "# head\n#! entries=2\n漢字 汉字 [han4 zi4] /Chinese character/CL:個|个[ge4]/\n% % [pa1] /percent (Tw)/\n",
        "utf-8",
    )
    assert list(entries(path)) == [
        Entry("漢字", "汉字", ("Chinese character", "CL:個|个[ge4]")),
        Entry("%", "%", ("percent (Tw)",)),
    ]


@pytest.mark.parametrize("line", ["漢字 汉字 /no reading/", "漢字 [han4] /one side/", "漢字 汉字 [han4] no slashes"])
def test_a_broken_line_is_named(tmp_path, line):
    path = tmp_path / "cedict.txt"
    path.write_text(f"# head\n{line}\n", "utf-8")
    with pytest.raises(InputError, match=r"cedict.txt, line 2: expected .*, found "):
        list(entries(path))
