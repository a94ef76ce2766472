import gzip

import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora import segmented_text
from repline.corpora.recipes import RawText
from repline.corpora.segmented_text import segment
from repline.errors import InputError

ZH = "我来到北京清华大学。他来到了网易杭研大厦！\n\n小明硕士毕业于中国科学院计算所\n"
JA = "太郎は走った。花子は　ｶﾞｯｺｳへ行く。\n"


def rows(folder):
    return [row for path in sorted(folder.glob("part-*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_lines_become_numbered_sentences_of_documents(tmp_path):
    source = tmp_path / "texts"
    source.mkdir()
    (source / "b.txt").write_text(ZH, encoding="utf-8")
    (source / "a.txt.gz").write_bytes(gzip.compress("今天天气很好。\n".encode()))
    (source / "notes.md").write_text("not read")
    card = segment(source, tmp_path / "out", RawText(language="zh"))
    sentences = rows(tmp_path / "out")
    assert [(row["doc_id"], row["sentence_id"]) for row in sentences] == [("a", 0), ("b", 0), ("b", 1), ("b", 2)]
    assert sentences[1]["tokens"] == ["我", "来到", "北京", "清华大学", "。"]
    assert card["counts"] == {
        "documents": 2,
        "sentences": 4,
        "tokens": sum(len(row["tokens"]) for row in sentences),
    } | {"characters": sum(len("".join(row["tokens"])) for row in sentences)}
    assert card == read_card(tmp_path / "out")
    assert card["tools"].keys() == {"jieba", "pyarrow", "repline"}


def test_knobs_reach_the_segmenter_and_the_columns(tmp_path):
    source = tmp_path / "text.txt"
    source.write_text(ZH, encoding="utf-8")
    segment(
        source, tmp_path / "out", RawText(language="zh", sentences="lines", segmentation={"tags": True, "hmm": False})
    )
    first, second = rows(tmp_path / "out")
    assert first["tag"][:3] == ["r", "v", "ns"]
    assert "。" in first["tokens"][:-1]
    assert "杭研" not in first["tokens"]
    assert len(second["tag"]) == len(second["tokens"])


def test_widths_are_normalised_unless_asked_not_to(tmp_path):
    source = tmp_path / "text.txt"
    source.write_text(JA, encoding="utf-8")
    segment(source, tmp_path / "out", RawText(language="ja"))
    sentences = rows(tmp_path / "out")
    assert sentences[0]["lemma"] == ["太郎", "は", "走る", "た", "。"]
    assert sentences[1]["tokens"] == ["花子", "は", "ガッコウ", "へ", "行く", "。"]
    assert sentences[0]["reading"][0] == "タロウ"
    segment(source, tmp_path / "raw", RawText(language="ja", widths=False))
    assert "ｶﾞｯｺｳ" in rows(tmp_path / "raw")[1]["tokens"]


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "Dr. Müller kam am 3. Oktober. Er ging! „Komm!“ Wer?", 4),
        ("ar", "كيف حالك؟ أنا بخير. شكرا۔ نعم", 4),
        ("ko", "나는 간다. 너는 온다.", 2),
        ("hi", "मैं जाता हूँ। तुम आते हो।", 2),
        ("vi", "Xin chào. Tôi là An.", 2),
    ],
)
def test_lines_of_languages_with_spaces_are_cut_after_their_full_stops(tmp_path, language, text, sentences):
    source = tmp_path / "text.txt"
    source.write_text(text + "\n", encoding="utf-8")
    card = segment(source, tmp_path / "out", RawText(language=language))
    assert card["counts"]["sentences"] == len(rows(tmp_path / "out")) == sentences
    segment(source, tmp_path / "lines", RawText(language=language, sentences="lines"))
    (line,) = rows(tmp_path / "lines")
    assert line["tokens"] == [token for row in rows(tmp_path / "out") for token in row["tokens"]]


def test_processes_do_not_change_the_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(segmented_text, "GROUP", 2_000)
    source = tmp_path / "text.txt"
    source.write_text("".join(f"第{i}句：我来到北京清华大学。\n" for i in range(900)), encoding="utf-8")
    segment(source, tmp_path / "one", RawText(language="zh"), processes=1)
    segment(source, tmp_path / "two", RawText(language="zh"), processes=2)
    names = sorted(path.name for path in (tmp_path / "one").iterdir() if path.name != "card.json")
    assert [(tmp_path / "two" / name).read_bytes() for name in names] == [
        (tmp_path / "one" / name).read_bytes() for name in names
    ]
    assert [row["sentence_id"] for row in rows(tmp_path / "two")] == list(range(900))


@pytest.mark.parametrize(
    ("content", "knobs", "message"),
    [
        (b"\n \n", {}, "there is no text in it"),
        ("好。\n".encode() + b"\xff\n", {}, r"text\.txt, line 2: expected UTF-8"),
        ("好。".encode(), {"segmentation": {"hm": True}}, "segmentation of zh: .*'hm'"),
        ("好。".encode(), {"segmentation": {"own_words": "nowhere.txt"}}, "nowhere.txt: there is no such file"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(tmp_path, content, knobs, message):
    (tmp_path / "text.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        segment(tmp_path / "text.txt", tmp_path / "out", RawText(language="zh", **knobs))
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


def test_a_folder_without_text_is_refused(tmp_path):
    with pytest.raises(InputError, match="expected a text file, or a folder with"):
        segment(tmp_path, tmp_path / "out", RawText(language="zh"))


def test_traditional_text_is_converted_and_an_unknown_conversion_refused(tmp_path):
    (tmp_path / "text.txt").write_text("漢字。", encoding="utf-8")
    segment(tmp_path / "text.txt", tmp_path / "out", RawText(language="zh", conversion="t2s"))
    assert rows(tmp_path / "out")[0]["tokens"] == ["汉字", "。"]
    with pytest.raises(InputError, match="OpenCC has no conversion 'x2y'"):
        segment(tmp_path / "text.txt", tmp_path / "out", RawText(language="zh", conversion="x2y"))
