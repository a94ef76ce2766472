"""Translations as people have them: heads, variants, named characters, wrong units."""

import gzip

import pytest

from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.bitext import build as build_bitext
from repline.corpora.parallel.language_codes import language_of
from repline.corpora.parallel.multiway import build as build_multiway
from repline.corpora.parallel.recipes import BitextCorpus, MultiwayCorpus
from repline.corpora.parallel.tmx import read_tmx
from repline.corpora.parallel.translations import read_translations
from repline.errors import InputError
from repline.reading.wrong_records import LeftOut

LANGUAGES = ["en", "de"]


def memory(*units, head='<!DOCTYPE tmx SYSTEM "tmx14.dtd">'):
    texts = (
        f'<tu tuid="{number}">'
        + "".join(f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>' for code, text in unit.items())
        + "</tu>\n"
        for number, unit in enumerate(units, start=1)
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}\n<tmx version="1.4"><body>\n{"".join(texts)}</body></tmx>\n'


def pairs(source, languages=LANGUAGES, **reading):
    return [(pair.first, pair.second) for pair in read_translations(source, languages, **reading)]


@pytest.mark.parametrize("head", ["", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">', "<!DOCTYPE tmx>"])
@pytest.mark.parametrize("on_error", ["stop", "salvage"])
def test_names_of_characters_are_resolved(tmp_path, head, on_error):
    text = memory(
        {"en": "caf&eacute; &amp; 5&nbsp;&lt;b&gt; &AMP; &LT; &percnt; &quot;", "de": "Caf&eacute;"}, head=head
    )
    (tmp_path / "a.tmx").write_text(text, encoding="utf-8")
    assert pairs(tmp_path, on_error=on_error) == [('café & 5 <b> & < % "', "Café")]


def test_other_names_are_refused_with_their_line(tmp_path):
    (tmp_path / "a.tmx").write_text(memory({"en": "a", "de": "b"}, {"en": "&foo;", "de": "c"}), encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tmx, line 5: there is no character of the name &foo;"):
        pairs(tmp_path)
    assert pairs(tmp_path, on_error="salvage") == [("a", "b")]


@pytest.mark.parametrize(
    "declaration", ['<!ENTITY a "b">', '<!ENTITY a SYSTEM "/etc/hostname">', '<!ENTITY % p "x">%p;']
)
@pytest.mark.parametrize("on_error", ["stop", "salvage"])
def test_entities_of_the_file_itself_are_refused(tmp_path, declaration, on_error):
    text = memory({"en": "&a;", "de": "b"}, head=f"<!DOCTYPE tmx [{declaration}]>")
    (tmp_path / "a.tmx").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="entities of its own are not read"):
        pairs(tmp_path, on_error=on_error)


def test_a_language_has_all_its_variants_and_a_variant_has_a_name(tmp_path):
    unit = {"en-US": "The color.", "en-GB": "The colour.", "de": "Die Farbe."}
    (tmp_path / "a.tmx").write_text(memory(unit, {"en-US": "same", "en-GB": "same", "de": "gleich"}), encoding="utf-8")
    both = [("The color.", "Die Farbe."), ("The colour.", "Die Farbe."), ("same", "gleich")]
    assert pairs(tmp_path) == both
    assert pairs(tmp_path, ["en-GB", "de"]) == [("The colour.", "Die Farbe."), ("same", "gleich")]
    assert pairs(tmp_path, ["en_us", "de"]) == [("The color.", "Die Farbe."), ("same", "gleich")]
    assert [text.texts["en"] for text in read_aligned(tmp_path, LANGUAGES)] == ["The color.", "same"]
    assert language_of("en_GB", ["en", "en-GB"]) == "en-GB" and language_of("fr", ["en"]) is None


def test_two_variants_in_files_need_a_name(tmp_path):
    for code, text in (("en-US", "color"), ("en-GB", "colour"), ("de", "Farbe")):
        (tmp_path / f"a.{code}.txt").write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.en-US\.txt and a\.en-GB\.txt are both en; name"):
        pairs(tmp_path)
    assert pairs(tmp_path, ["en-GB", "de"]) == [("colour", "Farbe")]


@pytest.mark.parametrize(("name", "pack"), [("A.TMX", bytes), ("a.tmx.gz", gzip.compress), ("a.Tmx.GZ", gzip.compress)])
def test_a_memory_has_any_spelling_and_packing(tmp_path, name, pack):
    (tmp_path / name).write_bytes(pack(memory({"EN": "Open", "DE": "Öffnen"}).encode()))
    assert pairs(tmp_path) == [("Open", "Öffnen")]
    assert [text.texts for text in read_aligned(tmp_path, LANGUAGES)] == [{"en": "Open", "de": "Öffnen"}]


@pytest.mark.parametrize("wrong", ["a&#11;b", "a<b", "a</seg></tuv><seg>", "a & b", "&foo;"])
def test_a_wrong_unit_is_left_out_and_counted(tmp_path, wrong):
    source = tmp_path / "source"
    source.mkdir()
    units = [{"en": "one", "de": "eins"}, {"en": wrong, "de": "zwei"}, {"en": "three", "de": "drei"}]
    (source / "a.tmx").write_text(memory(*units), encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tmx, line \d"):
        pairs(source)
    left_out = LeftOut("salvage")
    assert [unit.key for unit in read_tmx(source / "a.tmx", left_out)] == ["1", "3"]
    assert left_out.named[0].startswith("a.tmx, line 5: ")
    card = build_bitext(source, tmp_path / "bitext", BitextCorpus(languages=LANGUAGES, on_error="salvage"))
    assert card["counts"]["pairs"] == 2 and card["counts"]["wrong_records"] == 1
    assert card["notes"][0].startswith("salvaged: 1 wrong record left out: 1 (")
    assert card["parameters"]["on_error"] == "salvage"


def test_an_empty_side_is_no_pair(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.tmx").write_text(memory({"en": "one", "de": "eins"}, {"en": "", "de": "zwei"}), encoding="utf-8")
    counts = build_bitext(source, tmp_path / "bitext", BitextCorpus(languages=LANGUAGES))["counts"]
    assert (counts["pairs"], counts["empty"]) == (1, 1)
    with pytest.raises(InputError, match="line 5: the en text is empty"):
        build_multiway(source, tmp_path / "texts", MultiwayCorpus(languages=LANGUAGES))
    card = build_multiway(source, tmp_path / "texts", MultiwayCorpus(languages=LANGUAGES, on_error="salvage"))
    assert card["counts"]["texts"] == 1 and card["counts"]["wrong_records"] == 1


def test_lines_side_by_side(tmp_path):
    texts = {"en": "a\n\nc\n\n", "de": "A\nB\nC", "fr": "à\nb\nç\n"}
    for code, text in texts.items():
        (tmp_path / f"a.{code}.txt").write_text(text, encoding="utf-8")
    assert pairs(tmp_path) == [("a", "A"), ("", "B"), ("c", "C")]
    with pytest.raises(InputError, match=r"a\.en\.txt, line 2: expected a text, found an empty line"):
        list(read_aligned(tmp_path, [*LANGUAGES, "fr"]))
    aligned = list(read_aligned(tmp_path, [*LANGUAGES, "fr"], on_error="salvage"))
    assert [list(text.texts.values()) for text in aligned] == [["a", "A", "à"], ["c", "C", "ç"]]


@pytest.mark.parametrize(
    ("text", "head", "expected"),
    [
        ("id\ten\tde\n1\tHello\tHallo\n", "auto", [("Hello", "Hallo")]),
        ("ID\tSource\tTarget\n1\tHello\tHallo\n\n", "auto", [("Hello", "Hallo")]),
        ("nr\tEnglisch\tDeutsch\n1\tHello\tHallo\n", "yes", [("Hello", "Hallo")]),
        ("nr\tde-AT\ten_GB\n1\tHallo\tHello\n", "auto", [("Hello", "Hallo")]),
        ("nr\tde\ten\n1\tHallo\tHello\n", "yes", [("Hello", "Hallo")]),
        ("1\tEnglish\tDeutsch\n", "auto", [("English", "Deutsch")]),
        ("id\ten\tde\n", "no", [("en", "de")]),
    ],
)
def test_the_head_of_a_table_is_recognised_or_said(tmp_path, text, head, expected):
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8-sig")
    assert pairs(tmp_path, head=head) == expected


@pytest.mark.parametrize("head", ["id\ttext\ten", "id\tde\tde-AT", "id\tde\ttarget", "id\ttext\ttext"])
def test_a_head_that_leaves_the_languages_open_is_refused(tmp_path, head):
    (tmp_path / "a.tsv").write_text(f"{head}\n1\tHello\tHallo\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tsv, line 1: expected a head with id, en and de in any order"):
        pairs(tmp_path)
    assert len(pairs(tmp_path, head="no")) == 2


@pytest.mark.parametrize("row", ["2\tone", "2\tone\teins\tmore"])
def test_rows_of_fewer_or_more_fields_are_wrong(tmp_path, row):
    (tmp_path / "a.tsv").write_text(f"1\ta\tb\n{row}\n3\tc\td\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tsv, line 2: expected id, en and de between tabs"):
        pairs(tmp_path)
    assert pairs(tmp_path, on_error="salvage") == [("a", "b"), ("c", "d")]


def test_sentences_are_paired_by_their_id_wherever_it_stands(tmp_path):
    word = "1\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "n.de.conllu").write_text(
        f"# sent_id = a\n# text = Eins.\n{word}# sent_id = b\n# text = Zwei.\n{word}", encoding="utf-8"
    )
    turned = tmp_path / "n.en.conllu"
    turned.write_text(f"# text = One.\n# sent_id = a\n{word}# text = Two.\n# sent_id = b\n{word}", encoding="utf-8")
    assert pairs(tmp_path) == [("One.", "Eins."), ("Two.", "Zwei.")]
    turned.write_text(f"# sent_id = a\n# text = One.\n{word}# sent_id = a\n# text = Two.\n{word}", encoding="utf-8")
    with pytest.raises(InputError, match=r"n\.en\.conllu, line \d+: the sent_id 'a' is there twice"):
        pairs(tmp_path)
    turned.write_text(f"# text = One.\n{word}", encoding="utf-8")
    with pytest.raises(InputError, match=r"expected a sent_id with the text 'One\.'"):
        pairs(tmp_path)


def test_an_encoding_without_a_mark_is_said(tmp_path):
    (tmp_path / "a.en.txt").write_bytes(b"Hello\n")
    (tmp_path / "a.de.txt").write_bytes("Grüße\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"a\.de\.txt, line 1: .*0xfc as byte 3.*encoding: latin-1"):
        pairs(tmp_path)
    assert pairs(tmp_path, encoding="latin-1") == [("Hello", "Grüße")]


def test_a_quotation_mark_in_topics_is_a_character(tmp_path):
    head = "index_id\tcategory\ttext\n"
    (tmp_path / "eng_Latn.train.tsv").write_text(f'{head}1\ta\t"Oh\n2\tb\t"He said ""so""."\n', encoding="utf-8")
    (tmp_path / "deu_Latn.train.tsv").write_text(f"{head}1\ta\tOh\n2\tb\tEr sagte es.\n", encoding="utf-8")
    texts = [text.texts["en"] for text in read_aligned(tmp_path, LANGUAGES, "topics")]
    assert texts == ['"Oh', 'He said "so".']
    (tmp_path / "eng_Latn.train.tsv").write_text(f"{head}1\ta\tOh\tmore\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"eng_Latn\.train\.tsv, line 2: .*found 4 columns"):
        list(read_aligned(tmp_path, LANGUAGES, "topics"))


def test_a_file_name_of_many_parts_is_no_language(tmp_path):
    (tmp_path / ("corpus.eu_" + "_".join(["abc"] * 40) + ".zip")).write_text("")
    (tmp_path / "n.en.txt").write_text("A\n")
    (tmp_path / "n.de.txt").write_text("B\n")
    assert [(pair.first, pair.second) for pair in read_translations(tmp_path, ["en", "de"])] == [("A", "B")]


@pytest.mark.parametrize("white", ["\r", "\x85", "\u2028", "\x0b", "\x0c", "\x1c"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("names", [("n.en.txt", "n.de.txt"), ("Books.de-en.en", "Books.de-en.de")])
def test_no_other_white_space_ends_a_line_of_a_bitext(tmp_path, white, end, names):
    english, german = (tmp_path / name for name in names)
    english.write_bytes(f"a{white}b{end}c{end}d{end}".encode())
    german.write_bytes(f"A{end}C{end}D{white}E{end}".encode())
    pairs = [("a b", "A"), ("c", "C"), ("d", "D E")]
    assert [(pair.first, pair.second) for pair in read_translations(tmp_path, ["en", "de"])] == pairs
    assert [tuple(text.texts.values()) for text in read_aligned(tmp_path, ["en", "de"])] == pairs


def test_a_carriage_return_alone_ends_lines_where_nothing_else_does(tmp_path):
    (tmp_path / "n.en.txt").write_bytes(b"a\rb\r")
    (tmp_path / "n.de.txt").write_bytes(b"A\nB\n")
    assert [(pair.first, pair.second) for pair in read_translations(tmp_path, ["en", "de"])] == [("a", "A"), ("b", "B")]


def declared_memory(units: str, encoding: str = "utf-8", form: str = 'encoding="{}"') -> bytes:
    head = f'<?xml version="1.0" {form.format(encoding)}?>\n<tmx version="1.4"><header/><body>\n'
    return f"{head}{units}</body></tmx>".encode(encoding)


@pytest.mark.parametrize("on_error", ["stop", "salvage"])
@pytest.mark.parametrize("form", ['encoding="{}"', "encoding = '{}'", 'encoding\t=\n"{}" standalone="yes"'])
@pytest.mark.parametrize(
    "encoding",
    ["gb2312", "GB18030", "big5", "shift_jis", "euc-jp", "latin-1", "windows-1252", "utf16", "utf-16-be", "utf8"],
)
def test_a_memory_says_its_encoding(tmp_path, encoding, form, on_error):
    text = "é" if encoding in ("latin-1", "windows-1252") else "日本"
    unit = f'<tu><tuv xml:lang="en"><seg>x</seg></tuv><tuv xml:lang="ja"><seg>{text}</seg></tuv></tu>'
    (tmp_path / "a.tmx").write_bytes(declared_memory(unit, encoding, form))
    (pair,) = read_translations(tmp_path, ["en", "ja"], on_error=on_error)
    assert (pair.first, pair.second) == ("x", text)


@pytest.mark.parametrize("on_error", ["stop", "salvage"])
@pytest.mark.parametrize("name", ["foo", "", "rot13", "base64", "idna2", "undefined", "punycode", "utf-16", "cp037"])
def test_a_declared_encoding_that_is_none_is_one_sentence(tmp_path, name, on_error):
    (tmp_path / "a.tmx").write_bytes(declared_memory("").replace(b"utf-8", name.encode()))
    with pytest.raises(InputError, match=rf"a\.tmx, line 1: expected XML in the declared encoding '{name}', found"):
        list(read_translations(tmp_path, ["en", "ja"], on_error=on_error))


def test_bytes_outside_the_encoding_of_a_memory_are_one_sentence(tmp_path):
    (tmp_path / "a.tmx").write_bytes(declared_memory("", "gb2312").replace(b"<body>", b"<body>\xff\xff"))
    with pytest.raises(InputError, match=r"a\.tmx, line 1 or below: expected gb2312 text"):
        list(read_translations(tmp_path, ["en", "de"]))


@pytest.mark.parametrize(
    ("encoding", "right", "outside"),
    [
        ("utf-8", "é", b"\xe9"),
        ("gb18030", "中", b"\xff"),
        ("shift_jis", "日", b"\xfd"),
        ("utf-16-le", "é", b"\x00\xdc"),
    ],
)
def test_a_unit_outside_the_encoding_is_left_out_and_counted(tmp_path, encoding, right, outside):
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{text}</seg></tuv>\n<tuv xml:lang="de"><seg>{text}</seg></tuv></tu>'
        for text in ("\\xe9", "cafX", right)
    )
    content = declared_memory(units, encoding).replace("X".encode(encoding), outside)
    (tmp_path / "a.tmx").write_bytes(content)
    left_out = LeftOut("salvage")
    texts = [unit.texts for unit in read_tmx(tmp_path / "a.tmx", left_out)]
    assert texts == [{"en": "\\xe9", "de": "\\xe9"}, {"en": right, "de": right}]
    assert left_out.reasons == {f"no {encoding.upper()} text": 1}
    assert left_out.named == [f"a.tmx, line 4: expected {encoding.upper()} text, found bytes outside it"]


@pytest.mark.parametrize("on_error", ["stop", "salvage"])
@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ("<![CDATA[caf&eacute; <tu> </tu> <!-- 'a' -->]]> &eacute;", "caf&eacute; <tu> </tu> <!-- 'a' --> é"),
        ("<!-- <![CDATA[ -->a<!-- ]]> -->", "a"),
        ('Click <ph>&lt;img alt="<sub>here</sub>"/&gt;</ph> now', "Click here now"),
        (
            '<bpt i="1">&lt;a title="<sub>to <ph>{0}</ph>notes</sub>"&gt;</bpt>Notes<ept i="1">/a</ept>',
            "to notes Notes",
        ),
        ("<ph>a<sub>b<it>c<sub>d</sub>e</it>f</sub>g</ph>h<hi>i</hi>", "b d f hi"),
    ],
)
def test_literal_text_and_text_in_codes_is_text(tmp_path, segment, text, on_error):
    (tmp_path / "a.tmx").write_text(memory({"en": segment, "de": "x"}, {"en": "y", "de": "z"}), encoding="utf-8")
    assert pairs(tmp_path, on_error=on_error) == [(text, "x"), ("y", "z")]


def test_literal_text_that_does_not_end_spoils_its_own_unit_alone(tmp_path):
    units = [{"en": text, "de": "x"} for text in ("a", "<![CDATA[b", "c", "<![CDATA[<d>]]>")]
    (tmp_path / "a.tmx").write_text(memory(*units), encoding="utf-8")
    assert pairs(tmp_path, on_error="salvage") == [("a", "x"), ("c", "x"), ("<d>", "x")]


@pytest.mark.parametrize("on_error", ["stop", "salvage"])
def test_a_unit_in_a_comment_is_no_unit_and_a_second_text_of_a_language_is_counted(tmp_path, on_error):
    side = '<tuv xml:lang="{}"><seg>{}</seg></tuv>'
    sides = side.format("en", "a") + side.format("de", "A") + side.format("de", "AA") + side.format("de", "A")
    (tmp_path / "a.tmx").write_bytes(declared_memory(f"<!-- <tu>{sides}</tu>\n -->\n<tu>{sides}</tu>"))
    for read in (read_translations, read_aligned):
        left_out = LeftOut(on_error)
        assert len(list(read(tmp_path, ["en", "de"], on_error=left_out))) == 1
        assert left_out.notes() == ["passed over: 1 further texts of one language in a unit"]
