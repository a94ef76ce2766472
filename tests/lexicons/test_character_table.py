import pytest

from repline.errors import InputError
from repline.lexicons.character_table import (
    coverage,
    identity_shares,
    links,
    opencc_table,
    read_table,
    write_opencc_table,
)

HEAD = "A table of characters\n-----\n"
ROWS = "人\t人\t人\n窓\t窗\t窗\n国\t國\t国\n習\t習\t习\n図\t圖\t图\n七\t七,柒\t七,柒\n畑\tN/A\tN/A\n"


def test_patterns_count_rows_with_one_form_of_each(tmp_path):
    (tmp_path / "table.txt").write_text(HEAD + ROWS, encoding="utf-8")
    rows = read_table(tmp_path)
    assert len(rows) == 7
    shares, counted = identity_shares(rows)
    assert counted == 5
    assert shares == {"AAA": 20, "AAB": 20, "ABA": 20, "ABB": 20, "ABC": 20}
    assert links(rows) == {
        ("人", "人"),
        ("窗", "窓"),
        ("国", "国"),
        ("习", "習"),
        ("图", "図"),
        ("七", "七"),
        ("柒", "七"),
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("学\t學", r"table\.txt, line 4: expected kanji, traditional, simplified between tabs, found '学\\t學'"),
        ("学\t學\t学生", r"line 4: expected single characters with commas between them, found '学生'"),
        ("学,校\t學\t学", r"line 4: expected one kanji in front, found '学,校'"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, message):
    (tmp_path / "table.txt").write_text(HEAD + "人\t人\t人\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_table(tmp_path / "table.txt")


def test_a_table_without_a_row_is_refused(tmp_path):
    (tmp_path / "table.txt").write_text(HEAD, encoding="utf-8")
    with pytest.raises(InputError, match="no row in it"):
        read_table(tmp_path / "table.txt")


def test_opencc_knows_the_pairs_that_plain_equality_misses(tmp_path):
    write_opencc_table(tmp_path)
    rows = read_table(tmp_path)
    assert rows == opencc_table()
    table_links = links(rows)
    assert {
        ("气", "気"),
        ("步", "歩"),
        ("樱", "桜"),
        ("国", "国"),
        ("图", "図"),
        ("发", "発"),
        ("发", "髪"),
    } <= table_links
    assert ("气", "歩") not in table_links
    assert len(rows) == 6355 + 1  # the kanji of JIS X 0208, and the mark of repetition or zero among them


def test_coverage_counts_both_ways():
    shares = coverage({("国", "国"), ("气", "気")}, {("国", "国"), ("步", "歩"), ("樱", "桜"), ("一", "壹")})
    assert shares == {"links": 2, "recall": 0.25, "precision": 0.5, "identity": 0.5}
