"""Files as they should not be, read by every reader: right or refused in one sentence that a person can read."""

import gzip
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from repline.errors import InputError, readable, shown
from repline.reading.file_names import files_by_name
from repline.reading.json_text import json_object
from repline.reading.table_fields import finite_number, whole_number
from repline.reading.text_files import numbered_lines
from repline.reading.wrong_records import WrongRecord
from tests.strange_files import ANY, REFUSED, SAME, SAME_OR_REFUSED, Change
from tests.text_readers import BY_NAME, Reader, write

LONGEST = 700  # characters of a message without the folder
TAKEN_OUT_LATER = {  # readers whose corpora take invisible characters out
    "reading.conllu-0",  # out of words; the names of relations stay as they are
    "corpora.parallel.aligned_texts-0",
    "corpora.parallel.translations-0",
    "corpora.segmented_text-0",
    "vectors.formats.table_format-0",  # stay: a row of a matrix has a word even where it is nothing else
}


def outcome(reader: Reader, folder: Path, files: Mapping[str, bytes]) -> list[str] | None:
    """The records as text; None where the files are refused, once the message is looked at."""
    try:
        return [*map(repr, reader.read(write(folder, dict(files))))]
    except InputError as error:
        message = str(error).replace(str(folder), "")
        assert message.isprintable(), ascii(message)
        assert len(message) < LONGEST, message
        assert any(name.split(".")[0] in message for name in files) or str(folder) in str(error), message
        return None


def tried(kind: str, change: Change, tmp_path: Path) -> dict[str, tuple[list[str] | None, list[str] | None]]:
    """Reader -> the records of its good files and of the changed ones, where the change changes something."""
    outcomes = {}
    for name, reader in BY_NAME.items():
        files = {file: change(text) for file, text in reader.files.items()}
        if files != reader.contents():
            good = outcome(reader, tmp_path / f"{name} good", reader.contents())
            outcomes[name] = good, outcome(reader, tmp_path / f"{name} {kind}", files)
    assert outcomes, kind
    return outcomes


@pytest.mark.parametrize("kind", SAME)
def test_what_says_the_same_is_read_the_same(kind: str, tmp_path: Path) -> None:
    for name, (good, records) in tried(kind, SAME[kind], tmp_path).items():
        assert records == good, name


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_text_is_refused(kind: str, tmp_path: Path) -> None:
    for name, (_, records) in tried(kind, REFUSED[kind], tmp_path).items():
        assert records is None, name


@pytest.mark.parametrize("kind", SAME_OR_REFUSED)
def test_no_number_and_no_encoding_is_read_otherwise(kind: str, tmp_path: Path) -> None:
    for name, (good, records) in tried(kind, SAME_OR_REFUSED[kind], tmp_path).items():
        if name != "vectors.formats.readers-0" or "mark" not in kind:  # whose words are taken as they are
            assert records in (None, good), name


@pytest.mark.parametrize("kind", ["blanks of no width in words", "marks of writing from right to left"])
def test_characters_one_cannot_see_are_in_no_word(kind: str, tmp_path: Path) -> None:
    outcomes = tried(kind, ANY[kind], tmp_path)
    assert {name for name, (good, records) in outcomes.items() if records not in (None, good)} == TAKEN_OUT_LATER


@pytest.mark.parametrize("kind", ANY)
def test_every_error_is_a_sentence(kind: str, tmp_path: Path) -> None:
    tried(kind, ANY[kind], tmp_path)


@pytest.mark.parametrize(
    "name",
    [name for name, reader in BY_NAME.items() if re.match(r"(text|sentence1|word1|source|head|category,|id\ten)\b",
                                                          next(iter(reader.files.values())))],
)  # fmt: skip
def test_a_head_in_the_middle_is_no_record(name: str, tmp_path: Path) -> None:
    reader = BY_NAME[name]
    files = {file: f"{text}{text.partition(chr(10))[0]}\n".encode() for file, text in reader.files.items()}
    with pytest.raises(InputError, match="the head is there again"):
        reader.read(write(tmp_path / "joined", files))


def test_a_pipe_a_folder_and_links_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "first.txt").symlink_to("second.txt")
    (tmp_path / "second.txt").symlink_to("first.txt")
    (tmp_path / "nowhere.txt").symlink_to("gone.txt")
    problems = {
        "pipe.txt": "found a pipe or a device",
        "folder.txt": "expected a file, found a folder",
        "first.txt": "symbolic links",
        "nowhere.txt": "there is no such file",
    }
    for name, problem in problems.items():
        with pytest.raises(InputError, match=problem):
            list(numbered_lines(tmp_path / name))
    assert "nowhere.txt" in files_by_name(tmp_path)  # a lost file is an error of the reader, never a smaller corpus


def test_a_suffix_in_capitals_is_that_suffix(tmp_path: Path) -> None:
    for name, reader in BY_NAME.items():
        files = {f"{file}.GZ": gzip.compress(text.encode()) for file, text in reader.files.items()}
        good = outcome(reader, tmp_path / f"{name} good", reader.contents())
        assert outcome(reader, tmp_path / name, files) == good, name


def test_a_line_longer_than_a_field_of_csv_may_be(tmp_path: Path) -> None:
    text = "word,concreteness\n" + "x" * 3_000_000 + ",3.5\n"
    (tmp_path / "a.csv").write_text(text)
    (word, *_), _ = [next(iter(BY_NAME["systems.concreteness.ratings-0"].read(tmp_path))).values(), None]
    assert len(word) == 3_000_000


@pytest.mark.parametrize("text", ["", "-", "1_0", "1e999", "-inf", "nan", "0x1", "1,5", "1 2", "9" * 5000, "٣."[1:]])
def test_no_finite_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a finite number, found '"):
        finite_number(text)
    with pytest.raises(ValueError, match=r"^expected a whole number, found '"):
        whole_number(text)


def test_numbers_as_people_write_them() -> None:
    assert [finite_number(text) for text in (" 1.5 ", "1e3", "-0", "１.５", "٣")] == [1.5, 1000, 0, 1.5, 3]
    assert [whole_number(text) for text in ("7", "-7", "+7", "７")] == [7, -7, 7, 7]
    with pytest.raises(ValueError, match="expected a whole number, found '9223372036854775808'"):
        whole_number(str(1 << 63))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]", "expected an object, found list"),
        ('{"a": 1, "a": 2}', "a key is there twice"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ('{"a": "\\ud800"}', "surrogates not allowed"),
        ('{"a": ' + "[" * 100_000, "too many brackets in each other"),
        ("{", "Expecting property name"),
    ],
)
def test_no_object_of_json(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        json_object(text)


def test_values_in_messages() -> None:
    assert shown("a\tb\x1b\u202e") == r"'a\tb\x1b\u202e'"
    assert shown("x" * 1000) == f"'{'x' * 30}…{'x' * 30}' (1,000 characters)"
    assert shown(["a", 1]) == "['a', 1]"
    assert shown(["y" * 1000]).endswith("y'] (1,004 characters)")
    assert readable("a\u2028b\nc", 10) == r"a\u2028b\nc"[:5] + "…" + r"a\u2028b\nc"[-5:]
    problem = WrongRecord("a.txt", "line 1", "x\n\x1b[31m" + "y" * 1000)
    assert problem.named.isprintable() and problem.reason.isprintable() and len(problem.named) < 500
