"""Texts of several languages side by side: readers of every form, the corpus on disk, and what is refused."""

import pytest

from repline.cards import read_card
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.multiway import build, read_multiway
from repline.corpora.parallel.recipes import MultiwayCorpus
from repline.corpora.parallel.tmx import read_tmx
from repline.corpora.parallel.translations import read_translations
from repline.errors import InputError

MEMORY = """<?xml version="1.0"?>
<tmx version="1.4"><header srclang="en"/><body>
<tu tuid="a"><tuv xml:lang="en-US"><seg>Open <bpt i="1">{b}</bpt>the <hi>file</hi></seg></tuv>
<tuv xml:lang="de"><seg>Datei
 &#214;ffnen</seg></tuv><tuv xml:lang="de"><seg>zweite</seg></tuv></tu>
<tu><tuv lang="EN"><seg>Close</seg></tuv><tuv lang="fr"><seg>Fermer</seg></tuv></tu>
</body></tmx>
"""


def write(folder, **files):
    for name, lines in files.items():
        path = folder / (name.replace("__", ".") + ".txt")
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def test_lines_of_three_languages_and_of_two(tmp_path):
    write(tmp_path, a__en=["One Two.", "three"], a__de=["Eins  zwei", "drei"], a__fr=["un deux", "trois"])
    write(tmp_path, b__en=["four"], b__fr=["quatre"], b__es=["cuatro"])
    aligned = list(read_aligned(tmp_path, ["en", "de", "fr"]))
    assert [(text.origin, text.key, text.texts) for text in aligned] == [
        ("a", "1", {"en": "One Two.", "de": "Eins zwei", "fr": "un deux"}),
        ("a", "2", {"en": "three", "de": "drei", "fr": "trois"}),
        ("b", "1", {"en": "four", "fr": "quatre"}),
    ]
    card = build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["en", "de", "fr"]))
    assert card["counts"]["texts"] == 3 and card["counts"]["tokens_en"] == 5
    read = read_multiway(tmp_path / "out")
    assert read[0].texts["en"] == ["one", "two", "."] and [text.document for text in read] == ["a 1", "a 2", "b 1"]
    assert read_card(tmp_path / "out")["parameters"]["languages"] == ["en", "de", "fr"]


def test_capitals_and_characters_are_those_of_the_language(tmp_path):
    write(tmp_path, a__tr=["Işık İZİ IRAK"], a__zh_CN=["你好"])
    build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["tr", "zh_CN"]))
    assert read_multiway(tmp_path / "out")[0].texts == {"tr": ["ışık", "izi", "ırak"], "zh_CN": ["你", "好"]}


def test_a_file_beside_the_sides_names_their_documents(tmp_path):
    write(
        tmp_path,
        a__en=["one", "two", "three"],
        a__de=["eins", "zwei", "drei"],
        a__documents=["bbc.1", "bbc.1", "cnn.7"],
    )
    aligned = list(read_aligned(tmp_path, ["en", "de"]))
    assert [(text.document, text.texts["de"]) for text in aligned] == [
        ("a bbc.1", "eins"),
        ("a bbc.1", "zwei"),
        ("a cnn.7", "drei"),
    ]


def test_a_translation_memory_is_read_as_pairs_and_as_more(tmp_path):
    path = tmp_path / "mine.tmx"
    path.write_text(MEMORY, encoding="utf-8")
    assert [(unit.key, unit.texts) for unit in read_tmx(path)] == [
        ("a", {"en": "Open the file", "de": "Datei Öffnen"}),
        ("2", {"en": "Close", "fr": "Fermer"}),
    ]
    assert [tuple(pair) for pair in read_translations(tmp_path, ["de", "en"])] == [
        ("mine", "a", "Datei Öffnen", "Open the file")
    ]
    assert [text.key for text in read_aligned(path, ["en", "de", "fr"])] == ["a", "2"]


@pytest.mark.parametrize("on_error", ["stop", "salvage"])
def test_units_of_one_id_are_different_texts(tmp_path, on_error):
    ids = ['tuid="a"', 'tuid="a"', "", 'tuid="3"', 'tuid="a 2"', 'tuid="a"']
    units = [
        f'<tu {name}><tuv lang="en"><seg>word {number}</seg></tuv><tuv lang="de"><seg>W {number}</seg></tuv></tu>'
        for number, name in enumerate(ids, start=1)
    ]
    path = tmp_path / "mine.tmx"
    path.write_text(f'<tmx version="1.4"><body>{"".join(units)}</body></tmx>', encoding="utf-8")
    assert [unit.key for unit in read_tmx(path, on_error)] == ["a", "a 2", "3", "3 4", "a 2 5", "a 6"]
    build(path, tmp_path / "out", MultiwayCorpus(languages=["en", "de"], on_error=on_error))
    texts = read_multiway(tmp_path / "out")
    assert [text.texts["en"] for text in texts] == [["word", str(number)] for number in range(1, 7)]


def test_two_texts_of_one_key_are_refused(tmp_path):
    (tmp_path / "mine.tmx").write_text(MEMORY.replace('tuid="a"', ""), encoding="utf-8")
    write(tmp_path, mine__en=["one"], mine__de=["eins"])
    with pytest.raises(InputError, match="the texts '1' of 'mine' are there twice; give its files other names"):
        build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["en", "de"]))
    (tmp_path / "mine.tmx").unlink()
    build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["en", "de"]))
    (part,) = (tmp_path / "out").glob("part-*.parquet")
    (tmp_path / "out" / "part-00001.parquet").write_bytes(part.read_bytes())
    with pytest.raises(InputError, match="two en texts have the key '1' of 'mine'; make the corpus again"):
        read_multiway(tmp_path / "out")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<text/>", "found <text>"),
        (MEMORY.replace("</body>", ""), "line 7"),
        (MEMORY.replace('lang="EN"', ""), "line 6: a text without a language"),
        (MEMORY.replace("<tmx", '<!DOCTYPE tmx [<!ENTITY a "b">]><tmx', 1), "entities"),
    ],
)
def test_a_broken_memory_is_one_sentence(tmp_path, content, message):
    path = tmp_path / "mine.tmx"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        list(read_tmx(path))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a__en": ["one", "two"], "a__de": ["eins"]}, r"a\.de\.txt has 1 lines, and .*a\.en\.txt has more"),
        (
            {"a__en": ["one", "two"], "a__de": ["eins", "zwei"], "a__documents": ["x"]},
            r"a\.documents\.txt has 1 lines, and .*a\.en\.txt has more",
        ),
        ({"a__en": ["one", " "], "a__de": ["eins", "zwei"]}, r"a\.en\.txt, line 2: expected a text, found an empty"),
        ({"a__en": ["one"]}, "expected a partner in another of en, de, found none"),
        ({"a__en": ["one"], "a__fr": ["un"]}, "expected a partner in another of en, de, found none"),
        ({"a__es": ["uno"]}, "expected translations"),
    ],
)
def test_a_persons_mistake_leaves_nothing(tmp_path, files, message):
    write(tmp_path, **files)
    with pytest.raises(InputError, match=message):
        build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["en", "de"]))
    assert not (tmp_path / "out").exists()


def test_a_language_that_no_text_has_is_named(tmp_path):
    write(tmp_path, a__en=["one"], a__de=["eins"])
    with pytest.raises(InputError, match="no text of language fr"):
        build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["en", "de", "fr"]))
    with pytest.raises(ValueError, match="tokens names 'it'"):
        MultiwayCorpus(languages=["en", "de"], tokens={"it": "blanks"})


def test_verses_are_joined_by_their_numbers_and_empty_ones_left_out(tmp_path):
    (tmp_path / "key_genre_english.csv").write_text('"genre","name"\n"1","Law"\n"5","Gospels"\n', encoding="utf-8")
    (tmp_path / "key_english.csv").write_text(
        '"b","n","t","g"\n"1","Genesis","OT","1"\n"40","Matthew","NT","5"\n', encoding="utf-8"
    )
    verses = [
        ("1", "1", "1", "In the beginning God{After}."),
        ("1", "1", "2", "{only a note}"),
        ("1", "1", "3", "Light"),
        ("40", "1", "1", "Book"),
    ]
    rows = [f'"x","{b}","{c}","{v}","{text}"' for b, c, v, text in verses]
    (tmp_path / "t_web.csv").write_text("\n".join(["id,b,c,v,t", *rows]) + "\n", encoding="utf-8")
    lines = [
        "\ufeff=001 Genesis 創世記",
        "Ge 1:1 創世記 1:1 元始に",
        "Ge 1:2 創世記 1:2 地は",
        "Ge 1:3 創世記 1:3 ",
        "END ",
    ]
    lines += ["=101 Matthew マタイ", "Mat 1:1 マタイ傳 1:1 系圖", "END", "=ALL"]
    (tmp_path / "kougo.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    aligned = list(read_aligned(tmp_path, ["en", "ja"], "bible"))
    assert [(text.key, text.label) for text in aligned] == [("Genesis 1:1", "law"), ("Matthew 1:1", "gospels")]
    assert aligned[0].texts == {"en": "In the beginning God.", "ja": "元始に"} and aligned[1].texts["ja"] == "系圖"
    build(tmp_path, tmp_path / "out", MultiwayCorpus(languages=["en", "ja"], form="bible"))
    assert read_multiway(tmp_path / "out")[0].texts["ja"] == ["元", "始", "に"]
    (tmp_path / "kougo.txt").write_text("nothing\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: expected a verse"):
        list(read_aligned(tmp_path, ["en", "ja"], "bible"))


@pytest.mark.parametrize(
    ("numbers", "verses"),
    [
        ([1, 2, 2, 4], {1: "A", 2: "B", 3: "C", 4: "D"}),
        ([1, 3, 3, 4], {1: "A", 2: "B", 3: "C", 4: "D"}),
    ],
)
def test_of_two_verses_with_one_number_one_has_the_missing_number(numbers, verses, tmp_path):
    (tmp_path / "key_genre_english.csv").write_text('"genre","name"\n"1","Law"\n', encoding="utf-8")
    (tmp_path / "key_english.csv").write_text('"b","n","t","g"\n"1","Genesis","OT","1"\n', encoding="utf-8")
    rows = [f'"x","1","1","{number}","verse {number}"' for number in range(1, 5)]
    (tmp_path / "t_web.csv").write_text("\n".join(["id,b,c,v,t", *rows]) + "\n", encoding="utf-8")

    def write_japanese(numbers, texts="ABCD"):
        lines = [f"Ge 1:{number} 創世記 1:{number} {text}" for number, text in zip(numbers, texts, strict=True)]
        (tmp_path / "kougo.txt").write_text("\n".join(["=001 Genesis", *lines, "END"]) + "\n", encoding="utf-8")

    write_japanese(numbers)
    aligned = list(read_aligned(tmp_path, ["en", "ja"], "bible"))
    assert {int(text.key.split(":")[1]): text.texts["ja"] for text in aligned} == verses
    write_japanese([1, 2, 3, 4], ["A", "[なし]", "C", "D"])
    assert [text.texts["ja"] for text in read_aligned(tmp_path, ["en", "ja"], "bible")] == ["A", "C", "D"]
    write_japanese([1, 2, 2, 3])
    with pytest.raises(InputError, match="two lines have the verse 1:2 of book 1"):
        list(read_aligned(tmp_path, ["en", "ja"], "bible"))


def test_topics_meet_by_their_index(tmp_path):
    head = "index_id\tcategory\ttext\n"
    (tmp_path / "eng_Latn.test.tsv").write_text(head + '7\tsports\t"A ""game"""\n2\ttravel\tA train\n', "utf-8")
    (tmp_path / "deu_Latn.test.tsv").write_text(head + "2\ttravel\tEin Zug\n7\tsports\tEin Spiel\n", "utf-8")
    aligned = list(read_aligned(tmp_path, ["en", "de"], "topics"))
    assert [(text.origin, text.key, text.label) for text in aligned] == [
        ("test", "2", "travel"),
        ("test", "7", "sports"),
    ]
    assert aligned[1].texts == {"en": 'A "game"', "de": "Ein Spiel"}
    (tmp_path / "deu_Latn.test.tsv").write_text(head + "2\tsports\tEin Zug\n", "utf-8")
    with pytest.raises(InputError, match="'2' has the label 'sports', and in another language 'travel'"):
        list(read_aligned(tmp_path, ["en", "de"], "topics"))
    (tmp_path / "deu_Latn.test.tsv").write_text(head + "2\ttravel\tEin Zug\n2\ttravel\tEine Bahn\n", "utf-8")
    with pytest.raises(InputError, match=r"deu_Latn\.test\.tsv: the index_id '2' is there twice"):
        list(read_aligned(tmp_path, ["en", "de"], "topics"))


def test_documents_are_a_table(tmp_path):
    path = tmp_path / "train.tsv"
    path.write_text("en\td1\tyes\tA text\nde\td2\tno\tEin Text\n", encoding="utf-8")
    aligned = list(read_aligned(tmp_path, ["en", "de"], "documents"))
    assert [(text.origin, text.document, text.label) for text in aligned] == [
        ("train", "d1", "yes"),
        ("train", "d2", "no"),
    ]
    path.write_text('en\td1\tyes\t"A ""text"""\n', encoding="utf-8")
    assert [text.texts["en"] for text in read_aligned(tmp_path, ["en", "de"], "documents")] == ['A "text"']
    path.write_text("en\td1\tyes\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: expected language, document, label and text"):
        list(read_aligned(tmp_path, ["en", "de"], "documents"))
