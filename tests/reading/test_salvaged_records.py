"""`on_error` in readers of text: a wrong record stops the reading, or is left out, counted and named."""

import json
import zipfile

import pytest

from repline.corpora.captions.multi30k import read_multi30k
from repline.corpora.labelled.collections.dialogues import CHAT, CLINC, DOMAINS, TURNS, read_chat_or_task, read_clinc
from repline.corpora.labelled.collections.reviews import read_movie_reviews
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.translations import read_translations
from repline.corpora.recipes import SegmentedLines
from repline.corpora.segmented_lines import write_corpus
from repline.errors import InputError
from repline.lexicons import bilingual_dictionary
from repline.reading.wrong_records import LeftOut
from tests.wrong_record_cases import CASES, scored, translated


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    case = CASES[request.param]
    for name, text in case.files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return case, tmp_path / case.name


def test_a_wrong_record_stops_the_reading_or_is_left_out(case):
    case, path = case
    if not case.wrong:
        pytest.skip("any line is a record")
    path.write_text("\n".join([*case.records, ""]), encoding="utf-8")
    right = case.read(path)
    first, *others = case.records
    path.write_text("\n".join([first, case.wrong, *others, ""]), encoding="utf-8")
    line = 1 + len(first.split("\n"))
    with pytest.raises(InputError, match=rf"{path.name}, line {line}: "):
        case.read(path)
    left_out = LeftOut("salvage")
    assert case.read(path, on_error=left_out) == right
    assert left_out.counts() == {"wrong_records": 1}
    assert left_out.named[0].startswith(f"{path.name}, line {line}: ")
    assert case.read(path, on_error="salvage") == right


def test_a_line_outside_the_encoding_stops_the_reading_or_is_left_out(case):
    case, path = case
    if not case.by_line:
        pytest.skip("a record is several lines")
    path.write_text("\n".join([*case.records, ""]), encoding="utf-8")
    right = case.read(path)
    first, *others = case.records
    path.write_bytes(b"\n".join([first.encode(), b"caf\xe9", *(record.encode() for record in others), b""]))
    with pytest.raises(
        InputError, match=rf"line {1 + len(first.splitlines())}: expected UTF-8 text, found the byte 0xe9"
    ):
        case.read(path)
    left_out = LeftOut("salvage")
    assert case.read(path, on_error=left_out) == right
    assert left_out.reasons == {"no UTF-8 text": 1}


def test_every_reader_reads_other_encodings(case):
    case, path = case
    text = "\n".join([*case.records, ""])
    path.write_text(text, encoding="utf-8")
    right = case.read(path)
    for name, content in (*case.files, (path.name, text)):
        (path.parent / name).write_text(content, encoding="utf-16-le")
    assert case.read(path, encoding="utf-16-le") == right


@pytest.mark.parametrize("name", ["conversations of text", "gold entities", "roles in columns"])
def test_a_record_of_several_lines_is_left_out_where_one_is_outside_the_encoding(tmp_path, name):
    case = CASES[name]
    path = tmp_path / case.name
    path.write_text("\n".join(case.records), encoding="utf-8")
    right = case.read(path)
    first, *others = case.records
    wrong = first.encode() + b"caf\xe9\n"
    path.write_bytes(b"\n".join([first.encode(), wrong, *(record.encode() for record in others), wrong]))
    with pytest.raises(InputError, match=r"line \d: expected UTF-8 text"):
        case.read(path)
    left_out = LeftOut("salvage")
    assert case.read(path, on_error=left_out) == right
    assert left_out.reasons == {"no UTF-8 text": 2}


def test_semeval_pairs_with_a_wrong_line_or_score_are_left_out(tmp_path):
    sentences, scores = tmp_path / "STS.input.news.txt", tmp_path / "STS.gs.news.txt"
    sentences.write_bytes(b"a\tb\nonly one\ncaf\xe9\tx\nc\td\ne\tf\n")
    scores.write_text("1\n2\n3\nmuch\n5\n")
    with pytest.raises(InputError, match=r"STS\.input\.news\.txt, line 2: expected 2 fields"):
        scored(sentences)
    left_out = LeftOut("salvage")
    rows = scored(sentences, on_error=left_out)
    assert [(row["tokens_a"], row["score"]) for row in rows] == [(["a"], 1.0), (["e"], 5.0)]
    assert left_out.reasons.total() == 3
    assert [problem.partition(": ")[0] for problem in left_out.named] == [
        "STS.input.news.txt, line 2", "STS.input.news.txt, line 3", "STS.gs.news.txt, line 4"
    ]  # fmt: skip


def test_pictures_of_multi30k_without_a_name_are_left_out(tmp_path):
    for stem, names in (("train", "a\n\nc\n"), ("val", "d\n"), ("test_2016", "e\n")):
        listed = "test_2016_flickr.txt" if stem == "test_2016" else f"{stem}.txt"
        (tmp_path / listed).write_text(names)
        for number in range(1, 6):
            (tmp_path / f"{stem}.{number}.en").write_text("A dog .\n" * len(names.splitlines()))
    left_out = LeftOut("salvage")
    assert [picture.name for picture in read_multi30k(tmp_path, on_error=left_out)] == ["a", "c", "d", "e"]
    assert left_out.named == ["train.txt, line 2: expected the name of a picture, found nothing"]


def test_an_entry_of_freedict_outside_its_dictionary_is_left_out(tmp_path):
    (tmp_path / "a.dict").write_bytes("Hund\ndog\nKälte\ncold\n".encode("latin-1"))
    (tmp_path / "a.index").write_text("Haus\tB\t/\nHund\tA\tI\nKälte\tJ\tK\n", encoding="utf-8")
    left_out = LeftOut("salvage")
    assert bilingual_dictionary.read_dictionary(tmp_path, on_error=left_out) == [("hund", "dog")]
    assert left_out.reasons == {"an entry beyond the end": 1, "no UTF-8 text": 1}
    with pytest.raises(InputError, match=r"a\.index, line 1: the entry of 'Haus' lies beyond the end"):
        bilingual_dictionary.read_dictionary(tmp_path)


@pytest.mark.parametrize("wrong_side", ["en", "de"])
@pytest.mark.parametrize("wrong_line", [0, 1, 2])
def test_a_pair_of_lines_with_one_outside_the_encoding_is_left_out(tmp_path, wrong_side, wrong_line):
    for side in ("en", "de"):
        lines = [f"{side} {number}".encode() for number in range(3)]
        if side == wrong_side:
            lines[wrong_line] = b"caf\xe9"
        (tmp_path / f"a.{side}.txt").write_bytes(b"\n".join([*lines, b""]))
    right = [(f"en {number}", f"de {number}") for number in range(3) if number != wrong_line]
    left_out = LeftOut("salvage")
    assert translated(tmp_path, on_error=left_out) == right
    texts = [text.texts for text in read_aligned(tmp_path, ["en", "de"], on_error=left_out)]
    assert [(text["en"], text["de"]) for text in texts] == right
    assert left_out.reasons == {"no UTF-8 text": 2}
    for read in (read_translations, read_aligned):
        with pytest.raises(InputError, match=rf"line {wrong_line + 1}: expected UTF-8 text"):
            list(read(tmp_path, ["en", "de"]))


def test_a_table_of_scored_pairs_may_have_a_head(tmp_path):
    path = tmp_path / "mine.pairs.tsv"
    path.write_text("score\tsentence1\tsentence2\n3\ta\tb\n", encoding="utf-8")
    assert scored(path) == [{"tokens_a": ["a"], "tokens_b": ["b"], "score": 3.0}]
    path.write_text("label\tsentence1\tsentence2\nyes\ta\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected a head with sentence1, sentence2 and score"):
        scored(path)


def test_wrong_records_of_published_archives_are_left_out(tmp_path):
    folders = {name: tmp_path / name for name in ("clinc", "chat", "reviews")}
    for folder in folders.values():
        folder.mkdir()
    questions = {"train": [["hi", "greet"], ["what", "unheard"], "bye"], "oos_test": [["so", "oos"]]}
    (folders["clinc"] / CLINC).write_text(json.dumps(questions))
    (folders["clinc"] / DOMAINS).write_text('{"talk": ["greet"]}')
    (folders["chat"] / CHAT).write_text('{"a": {"messages": [[{"text": "hi"}]]}, "b": {"messages": [[{}]]}}')
    (folders["chat"] / TURNS).write_bytes(b"one ticket\ncaf\xe9\n")
    with zipfile.ZipFile(folders["reviews"] / "movie_reviews.zip", "w") as archive:
        for name, review in (("neg/cv000_1", b"bad"), ("neg/cv001_1", b"caf\xe9"), ("pos/cv000_2", b"good")):
            archive.writestr(f"movie_reviews/{name}.txt", review)
    for read, right, counts in (
        (read_clinc, ["hi", "so"], {"no text and intent": 2}),
        (read_chat_or_task, ["hi", "one ticket"], {"no conversation": 1, "no UTF-8 text": 1}),
        (read_movie_reviews, ["bad", "good"], {"no UTF-8 text": 1}),
    ):
        folder = folders[{"read_clinc": "clinc", "read_chat_or_task": "chat"}.get(read.__name__, "reviews")]
        left_out = LeftOut("salvage")
        assert [document.text for document in read(folder, on_error=left_out)] == right
        assert left_out.reasons == counts
        with pytest.raises(InputError):
            list(read(folder))


def test_a_line_without_tags_is_left_out_of_segmented_text(tmp_path):
    (tmp_path / "a.txt").write_text("我/r 来/v\n好 a\n大/a\n", encoding="utf-8")
    lines = SegmentedLines(language="zh", on_error="salvage")
    card = write_corpus(tmp_path / "a.txt", tmp_path / "corpus", lines)
    assert card["counts"] == {"documents": 1, "sentences": 2, "tokens": 3, "wrong_records": 1}
    assert card["notes"][1] == "left out: a.txt, line 2: expected WORD/TAG, found '好'"
    with pytest.raises(InputError, match=r"a\.txt, line 2: expected WORD/TAG"):
        write_corpus(tmp_path / "a.txt", tmp_path / "strict", SegmentedLines(language="zh"))
