"""Lines and JSON lines become records, and answers become JSON lines or a table."""

import io

import pytest

from repline.cli.records import opened, read_records, total_lines, write_json_lines, write_table
from repline.errors import InputError


def records(text, fields=("text",), optional_fields=()):
    return list(read_records(io.StringIO(text), "input.txt", fields, optional_fields))


def test_a_line_is_the_value_of_the_only_field():
    assert records("one\ttwo\n\nthree\r\n") == [{"text": "one\ttwo"}, {"text": ""}, {"text": "three"}]


def test_tabs_separate_several_fields():
    assert records("a\tb\n", ("premise", "hypothesis")) == [{"premise": "a", "hypothesis": "b"}]
    assert records("a\nb\tc\n", ("sentence",), ("context",)) == [{"sentence": "a"}, {"sentence": "b", "context": "c"}]


def test_json_lines():
    assert records('{"text": "a\\tb", "id": 3}\n{"text": ""}\n') == [{"text": "a\tb"}, {"text": ""}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\na\n", "input.txt, line 2: expected premise, hypothesis separated by tabs, found 1 fields"),
        ("a\tb\tc\n", "line 1: .* found 3 fields"),
        ('{"premise": "a"}\n', "line 1: expected the field 'hypothesis', found 'premise'"),
        ('{"premise": "a", "hypothesis": ["b"]}\n', "line 1: expected a text as 'hypothesis', found list"),
        ('{"premise": "a", "hypothesis": "b"}\nplain\n', "line 2: expected a JSON object, as on the first line"),
        (
            '{"premise": "a", "hypothesis": "b"}\n[1]\n',
            "line 2: expected a JSON object, as on the first line .*found list",
        ),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(InputError, match=message):
        records(text, ("premise", "hypothesis"))


def test_a_file_with_a_byte_order_mark_and_one_that_is_not_utf8(tmp_path):
    file = tmp_path / "input.txt"
    file.write_bytes("\ufeffword\n".encode())
    with opened(str(file)) as lines:
        assert list(read_records(lines, str(file), ("text",))) == [{"text": "word"}]
    file.write_bytes(b"word\nna\xefve\n")
    with opened(str(file)) as lines, pytest.raises(InputError, match="expected UTF-8 text"):
        list(read_records(lines, str(file), ("text",)))
    with pytest.raises(InputError, match=r"missing\.txt: there is no such file"), opened(str(tmp_path / "missing.txt")):
        pass


def test_answers_are_written():
    answers = [{"text": "a\tb", "label": "x", "scores": {"x": 0.5}}, {"text": "c", "label": None, "scores": {}}]
    out = io.StringIO()
    write_json_lines(answers[:1], out)
    assert out.getvalue() == '{"text": "a\\tb", "label": "x", "scores": {"x": 0.5}}\n'
    out = io.StringIO()
    write_table(answers, out)
    assert out.getvalue() == 'text\tlabel\tscores\na b\tx\t{"x": 0.5}\nc\t\t{}\n'


def test_a_table_has_the_columns_of_all_rows():
    out = io.StringIO()
    write_table([{"text": "a", "label": "x"}, {"text": "b", "context": "c", "label": "y"}], out, ["text", "context"])
    assert out.getvalue() == "text\tcontext\tlabel\na\t\tx\nb\tc\ty\n"
    with pytest.raises(InputError, match="answer 2 has 'score' besides the columns text, label of the table"):
        write_table([{"text": "a", "label": "x"}, {"text": "b", "label": "y", "score": 1}], io.StringIO(), ["text"])


def test_total_lines(tmp_path):
    (tmp_path / "a.txt").write_text("1\n2\n3\n")
    assert total_lines(str(tmp_path / "a.txt")) == 3
    assert total_lines("-") is None
