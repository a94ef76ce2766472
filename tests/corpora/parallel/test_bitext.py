import json
import struct

import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.parallel.bitext import build, read_bitext
from repline.corpora.parallel.message_catalogues import read_catalogue
from repline.corpora.parallel.recipes import BitextCorpus
from repline.corpora.parallel.scripts import foreign
from repline.corpora.parallel.translations import read_translations
from repline.errors import InputError

LANGUAGES = ["zh", "ja"]


def write_mo(path, messages, order="<"):
    """A catalogue as GNU msgfmt writes it, without a hash table."""
    items = sorted({"": "Content-Type: text/plain; charset=UTF-8\n"} | messages)
    texts = [text.encode() for text in items]
    texts += [(({"": "head"} | messages)[text]).encode() for text in items]
    start, offsets, content = 28 + 16 * len(items), [], b""
    for text in texts:
        offsets += [len(text), start + len(content)]
        content += text + b"\0"
    head = struct.pack(f"{order}7I", 0x950412DE, 0, len(items), 28, 28 + 8 * len(items), 0, start)
    path.write_bytes(head + struct.pack(f"{order}{len(offsets)}I", *offsets) + content)


@pytest.mark.parametrize("order", "<>")
def test_catalogues_pair_messages_of_the_same_context_and_text(tmp_path, order):
    write_mo(
        tmp_path / "zh_CN.app.mo",
        {"Open": "打开", "menu\x04File": "文件", "Only here": "这里", "one\0many": "一个"},
        order,
    )
    write_mo(
        tmp_path / "ja.app.mo",
        {"Open": "開く", "menu\x04File": "ファイル", "File": "書類", "one\0many": "一つ\0多数"},
        order,
    )
    write_mo(tmp_path / "fr.app.mo", {"Open": "Ouvrir"}, order)
    pairs = [(pair.origin, pair.key, *pair[2:]) for pair in read_translations(tmp_path, LANGUAGES)]
    assert sorted(pairs) == [
        ("app", "Open", "打开", "開く"),
        ("app", "menu\x04File", "文件", "ファイル"),
        ("app", "one", "一个", "一つ"),
    ]


MESSAGES = {"": {"language": "zh-CN"}, "Open": ["打开"], "menu\x04File": ["文件"], "Not yet": [""]}
BEFORE_1_0 = {
    "": {"lang": "zh-CN"},
    "Open": [None, "打开"],
    "menu\x04File": ["menu\x04Files", "文件", "多个文件"],
    "Not yet": [None, ""],
    "Nor this": ["Nor these", "", ""],
}


@pytest.mark.parametrize(
    "catalogue",
    [
        MESSAGES,
        MESSAGES | {"Empty": [None], "locale_data": [""]},
        {"domain": "app", "locale_data": {"app": MESSAGES}},
        {"locale_data": {"messages": MESSAGES}},
        {"domain": "app", "locale_data": {"other": {"Close": ["关闭"]}, "app": MESSAGES}},
        BEFORE_1_0,
        {"domain": "app", "locale_data": {"app": BEFORE_1_0}},
    ],
)
def test_a_catalogue_in_json_says_the_same(tmp_path, catalogue):
    (tmp_path / "zh_CN.app.json").write_text(json.dumps(catalogue), encoding="utf-8")
    assert read_catalogue(tmp_path / "zh_CN.app.json") == {"Open": "打开", "menu\x04File": "文件"}


@pytest.mark.parametrize("domains", [{}, {"a": {}, "b": {}}, {"a": []}])
def test_a_catalogue_in_json_without_a_domain_is_one_sentence(tmp_path, domains):
    (tmp_path / "zh_CN.app.json").write_text(json.dumps({"locale_data": domains}), encoding="utf-8")
    with pytest.raises(InputError, match=r"app\.json: expected a mapping of messages, found "):
        read_catalogue(tmp_path / "zh_CN.app.json")


@pytest.mark.parametrize("content", [b"", b"something else, long enough to have a head", "half"])
def test_a_damaged_catalogue_is_one_sentence(tmp_path, content):
    path = tmp_path / "zh_CN.app.mo"
    write_mo(path, {"Open": "打开", "Close": "关闭"})
    path.write_bytes(path.read_bytes()[:-20] if content == "half" else content)
    with pytest.raises(InputError, match=r"zh_CN\.app\.mo: "):
        read_catalogue(path)


def test_sides_of_different_length_are_refused_and_nothing_is_written(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "news.zh.txt").write_text("你好\n再见\n", encoding="utf-8")
    (source / "news.ja.txt").write_text("こんにちは\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"news\.zh\.txt has 2 lines, and .*news\.ja\.txt has 1; expected as many"):
        build(source, tmp_path / "bitext", BitextCorpus(languages=LANGUAGES))
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("own.tsv", "1\t你好\tこんにちは\n2\t再见\n", r"own\.tsv, line 2: expected id, zh and ja between tabs"),
        ("own.jsonl", '{"zh": "你好", "ja": "こんにちは"}\nnothing\n', r"own\.jsonl, line 2: expected a JSON object"),
        (
            "own.tsv",
            "1\tファイル\tファイル\n",
            "pair '1' of 'own': it has kana, so it is no zh text: 'ファイル'; `scripts: drop`",
        ),
        ("own.tsv", "1\tOpen file\tファイル\n", "pair '1' of 'own': 0% of it are Chinese characters"),
        ("own.tsv", "1\t文件\tfile\n", "it has neither kana nor Chinese characters, so it is no ja text"),
        ("own.tsv", "1\t文件\t\n", "no pair of zh and ja text in it"),
        ("own.zh.txt", "你好\n", "expected a partner in ja, found none"),
        ("own.doc", "", "expected translations"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(tmp_path, name, text, message):
    source = tmp_path / "source"
    source.mkdir()
    (source / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        build(source, tmp_path / "bitext", BitextCorpus(languages=LANGUAGES))
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_bitext_is_segmented_counted_and_read_again(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    lines = [
        "1\t我来到北京清华大学\t北京の清華大学に来た",
        "2\tOpen\t開く",
        "3\t我来到北京清华大学\tまた来た",
        "4\tＡＢ　文件\tＡＢ ﾌｧｲﾙ",
    ]
    (source / "own.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (source / "pud.zh.conllu").write_text("# sent_id = a\n# text = 這是漢語\n1\t_\n", encoding="utf-8")
    (source / "pud.ja.conllu").write_text("# sent_id = a\n# text = これは中国語だ\n1\t_\n", encoding="utf-8")
    knobs = {"scripts": "drop", "conversions": {"pud": "t2s"}, "segmentation": {"ja": {"features": False}}}
    card = build(source, tmp_path / "bitext", BitextCorpus(languages=LANGUAGES, **knobs))
    assert {key: card["counts"][key] for key in ("pairs", "untranslated", "duplicates")} == {
        "pairs": 3,
        "untranslated": 1,
        "duplicates": 1,
    }
    rows = pq.read_table(tmp_path / "bitext" / "part-00000.parquet").to_pylist()
    assert rows[0]["first"] == ["我", "来到", "北京", "清华大学"]
    assert [row["first_text"] for row in rows] == ["我来到北京清华大学", "AB 文件", "这是汉语"]
    assert rows[1]["second_text"] == "AB ファイル"
    bitext = read_bitext(tmp_path / "bitext")
    assert bitext.languages == tuple(LANGUAGES) and bitext.origins == ["own", "own", "pud"]
    assert bitext.of(["pud"]).second == [rows[2]["second"]]
    with pytest.raises(InputError, match="no pairs of origin 'put'; there are own, pud"):
        bitext.of(["put"])
    assert read_card(tmp_path / "bitext")["parameters"]["languages"] == list(LANGUAGES)


def test_sentences_without_a_partner_are_refused(tmp_path):
    (tmp_path / "pud.zh.conllu").write_text("# sent_id = a\n# text = 这\n", encoding="utf-8")
    (tmp_path / "pud.ja.conllu").write_text("# sent_id = b\n# text = これ\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pud\.zh\.conllu, sentence 'a': it has no partner"):
        list(read_translations(tmp_path, LANGUAGES))


def test_other_languages_have_no_writing_to_check():
    assert foreign("Open", "de") is None
    assert foreign("Open", "zh_CN") == "0% of it are Chinese characters"


def test_quotation_marks_around_a_text_of_a_table_go(tmp_path):
    rows = ['1\t"He said ""hi"""\t"a" und "b"\n', '2\tx\t "y ""z""" \n']
    (tmp_path / "a.tsv").write_text("".join(rows), encoding="utf-8")
    pairs = read_translations(tmp_path, ["en", "de"])
    assert [(pair.first, pair.second) for pair in pairs] == [('He said "hi"', '"a" und "b"'), ("x", 'y "z"')]
