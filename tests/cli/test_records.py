"""Lines and JSON lines become records, and answers become JSON lines or a table."""

import bz2
import gzip
import io
import lzma
import os

import pytest

from repline.cli.records import (
    opened,
    read_records,
    standard_output,
    total_lines,
    write_json_lines,
    write_table,
)
from repline.errors import InputError
from repline.reading.wrong_records import LeftOut


def records(text, fields=("text",), optional_fields=(), form=None):
    lines = enumerate(text.splitlines(), start=1)
    return [record.values for record in read_records(lines, "input.txt", fields, optional_fields, form)]


def test_a_line_is_the_value_of_the_only_field():
    assert records("one\ttwo\n\nthree\r\n") == [{"text": "one\ttwo"}, {"text": ""}, {"text": "three"}]


def test_tabs_separate_several_fields():
    assert records("a\tb\n", ("premise", "hypothesis")) == [{"premise": "a", "hypothesis": "b"}]
    assert records("a\nb\tc\n", ("sentence",), ("context",)) == [{"sentence": "a"}, {"sentence": "b", "context": "c"}]


def test_json_lines():
    assert records('{"text": "a\\tb", "id": 3}\n{"text": ""}\n') == [{"text": "a\tb"}, {"text": ""}]
    assert records(' { "text": "a"}\n') == [{"text": "a"}]


def test_empty_lines_of_json_are_passed_over_and_those_before_text_are_empty_texts():
    assert records('\n \n{"text": "a"}\n\n{"text": "b"}\n') == [{"text": "a"}, {"text": "b"}]
    assert records("\n\na\n") == [{"text": ""}, {"text": ""}, {"text": "a"}]
    assert records("\n \n") == [{"text": ""}, {"text": " "}]
    with pytest.raises(InputError, match="line 2: expected a JSON object"):
        records('\n{"text": 1\n')


def test_an_array_of_json_is_refused_unless_it_is_text():
    with pytest.raises(InputError, match=r"^input.txt, line 2: this is an array of JSON; write each object on a line"):
        records('\n[{"text": "a"}]\n')
    assert records('[{"text": "a"}]\n', form="text") == [{"text": '[{"text": "a"}]'}]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_standard_input_is_told(monkeypatch, pack):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(pack(b"a\n")))))
    with pytest.raises(InputError, match=r"^-: the standard input is packed"), opened("-") as lines:
        list(lines)


def test_closed_streams_are_told(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match=r"^-: the standard input is closed"), opened("-") as lines:
        list(lines)
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(InputError, match=r"^-: the standard output is closed"):
        standard_output()


def test_a_text_that_begins_with_a_brace_is_no_json():
    for lines in (["{[()]}", "()"], ["{}"], ["{", '{"text": "a"}'], ["{x} and {y}"]):
        assert records("\n".join(lines)) == [{"text": line} for line in lines]


def test_the_user_may_say_what_the_lines_are():
    assert records('{"Go," she said}\n', form="text") == [{"text": '{"Go," she said}'}]
    with pytest.raises(InputError, match="line 1: expected a JSON object"):
        records("{[()]}\n", form="json")
    with pytest.raises(InputError, match=r"line 1: expected a JSON object .*or say --input text"):
        records('{"Go," she said}\n')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\na\n", "input.txt, line 2: expected premise, hypothesis separated by tabs, found 1 field"),
        ("a\tb\tc\n", "line 1: .* found 3 fields"),
        ('{"premise": "a"}\n', "line 1: expected the field 'hypothesis', found 'premise'"),
        ('{"premise": "a", "hypothesis": ["b"]}\n', "line 1: expected a text as 'hypothesis', found list"),
        (
            '{"premise": "a", "hypothesis": "b"}\nplain\n',
            "line 2: expected a JSON object .*write every line as one, or say --input text",
        ),
        (
            '{"premise": "a", "hypothesis": "b"}\n[1]\n',
            "line 2: expected a JSON object .*found list",
        ),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(InputError, match=message):
        records(text, ("premise", "hypothesis"))


@pytest.mark.parametrize(
    "text, fields, read",
    [
        ("a\tb\nc\n\nd\te\n", ("premise", "hypothesis"), [1, 4]),
        ('{"text": "a"}\n\n{"text": 1}\nb\n{"text": "c"}\n', ("text",), [1, 5]),
    ],
)
def test_wrong_lines_go_to_an_account(text, fields, read):
    left_out = LeftOut("salvage")
    lines = enumerate(text.splitlines(), start=1)
    assert [record.line for record in read_records(lines, "input.txt", fields, left_out=left_out)] == read
    assert left_out.counts() == {"wrong_records": 2}
    assert left_out.named[0].startswith(f"input.txt, line {read[0] + 1 + (len(fields) == 1)}: expected ")


def test_lines_of_another_encoding(tmp_path):
    file = tmp_path / "input.txt"
    file.write_bytes(b"word\nna\xefve\nend\n")
    with opened(str(file), "cp1252") as lines:
        assert list(lines) == [(1, "word"), (2, "na\u00efve"), (3, "end")]
    left_out = LeftOut("salvage")
    with opened(str(file), left_out=left_out) as lines:
        assert list(lines) == [(1, "word"), (3, "end")]
    assert left_out.counts() == {"wrong_records": 1}
    with opened(str(file), "latin-99") as lines, pytest.raises(InputError, match="no encoding 'latin-99'"):
        list(lines)


def test_a_file_with_a_byte_order_mark_and_one_that_is_not_utf8(tmp_path):
    file = tmp_path / "input.txt"
    file.write_bytes("\ufeffword\n".encode())
    with opened(str(file)) as lines:
        assert list(read_records(lines, str(file), ("text",))) == [(1, {"text": "word"})]
    file.write_bytes(b"word\nna\xefve\n")
    with opened(str(file)) as lines, pytest.raises(InputError, match="expected UTF-8 text"):
        list(read_records(lines, str(file), ("text",)))
    with pytest.raises(InputError, match=r"missing\.txt: there is no such file"), opened(str(tmp_path / "missing.txt")):
        pass


@pytest.mark.parametrize(
    "content",
    [
        b"a\rb\r\nc",
        b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n\x1a",
        "a\nb".encode("utf-16"),
        b"",
        b"\n\n",
        "a\x85b\x0cc\n".encode(),
    ],
)
def test_the_standard_input_has_the_lines_of_a_file(content, tmp_path, monkeypatch):
    file = tmp_path / "input.txt"
    file.write_bytes(content)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    with opened(str(file)) as of_file, opened("-") as of_input:
        assert list(of_input) == list(of_file)


@pytest.mark.parametrize("content", [b"a\nb\x00c\n", b"a\nna\xefve\n"])
def test_the_standard_input_is_refused_as_a_file(content, tmp_path, monkeypatch):
    file = tmp_path / "input.txt"
    file.write_bytes(content)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    messages = []
    for name in (str(file), "-"):
        with opened(name) as lines, pytest.raises(InputError, match="line 2: expected UTF-8 text") as caught:
            list(lines)
        messages.append(str(caught.value).removeprefix(name))
    assert messages[0] == messages[1]


def test_a_line_of_the_standard_input_is_there_before_the_next_one(monkeypatch):
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe, open(writing, "wb", buffering=0) as sender:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(pipe))
        with opened("-") as lines:
            for line in ("a", "", "b"):
                sender.write(line.encode() + b"\n")
                assert next(lines)[1] == line


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
