"""A user's table of terms, and where its head and its comments are."""

import pytest

from repline.errors import InputError
from repline.reading.wrong_records import LeftOut
from repline.systems.jet.gold_mentions import read_mentions
from repline.systems.jet.name_sources import names_of, table_names
from repline.systems.jet.settings import TerminologySource

ROWS = "cat\tcat.animal\tanimal\ta pet\ngoat\tgoat.animal\n"


def terms(path, **options):
    return table_names(path, **options).texts.to_pylist()


@pytest.mark.parametrize(
    "head",
    [
        "term\tentity",
        "Term\tEntity\tTypes",
        "term\tentity\ttype\tgloss",
        '"term"\t"entity"\t"types"\t"definition"',
        "# by hand\nterm\tentity",
    ],
)
def test_a_head_is_no_term(tmp_path, head):
    (tmp_path / "a.tsv").write_text(f"{head}\n{ROWS}")
    names = table_names(tmp_path / "a.tsv")
    assert names.texts.to_pylist() == ["cat", "goat"]
    assert names.entities["types"].to_pylist() == [["animal"], []]
    source = TerminologySource(kind="table", source="a.tsv", head="no")
    assert len(names_of(source, tmp_path).texts) == 3


def test_a_head_that_the_reader_does_not_expect(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(f"name\tconcept\n{ROWS}")
    assert terms(path) == ["name", "cat", "goat"] and terms(path, head="yes") == ["cat", "goat"]
    for head, message in (
        ("entity\tterm", "the head names the columns in another order; expected term, entity;"),
        ("term\tentitty", "'entitty' is nearly the name 'entity' of a column"),
        ("term\tentity\tdefinition", "expected the types in front of the definitions; put an empty column there"),
    ):
        path.write_text(f"{head}\n{ROWS}")
        with pytest.raises(InputError, match=message):
            table_names(path)
        assert len(terms(path, head="no")) == 3
    path.write_text(f"term\tentity\n{ROWS}term\tentity\n")
    with pytest.raises(InputError, match="line 4: the head is there again"):
        table_names(path)


def test_comments_that_may_be_terms_are_counted(tmp_path):
    path, left_out = tmp_path / "a.tsv", LeftOut()
    path.write_text(f'# a list by hand\n#metoo\tmovement\n"#metoo"\tmovement\n{ROWS}')
    assert terms(path, on_error=left_out) == ["#metoo", "cat", "goat"]
    assert left_out.notes() == [
        "passed over: 1 comments with a tab (lines that begin with #; a term with # stands in quotation marks)"
    ]


def test_a_head_of_mentions_is_no_mention(tmp_path):
    path = tmp_path / "a.tsv"
    for head in ("term\tentity\tcontext", '"term"\t"entity"\t"context"'):
        path.write_text(f"# by hand\n{head}\nbass\tbass_(fish)\tin the sea\n")
        assert read_mentions(path) == [("bass", "bass_(fish)", "in the sea")]


def test_quotation_marks_around_a_field_are_no_part_of_a_mention(tmp_path):
    """A table of mentions is read as one of terms, where a term with # in front stands in marks."""
    path, left_out = tmp_path / "a.tsv", LeftOut()
    path.write_text('#metoo\tmovement\tin the news\n"#metoo"\t"movement"\t"the ""deep"" sea"\n')
    assert read_mentions(path, on_error=left_out) == [("#metoo", "movement", 'the "deep" sea')]
    assert "a term with # stands in quotation marks" in left_out.notes()[0]
