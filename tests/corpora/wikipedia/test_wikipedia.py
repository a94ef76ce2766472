import bz2
import concurrent.futures
import gzip
import io

import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.wikipedia import dump_files
from repline.corpora.wikipedia import pages as dump_pages
from repline.corpora.wikipedia.extraction import extract
from repline.corpora.wikipedia.recipes import Extraction, TemplateRules
from repline.errors import InputError
from tests.corpora.wikipedia.dumps import cut_into_streams, dump, header, multistream, page, pages, write


def articles(folder):
    return pq.read_table(sorted(folder.glob("part-*.parquet"))).to_pylist()


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def extracted(path, **options):
    folder = path.parent / "articles"
    card = extract(path, folder, Extraction(**options))
    return card, articles(folder)


def refused(path, **options):
    folder = path.parent / "articles"
    with pytest.raises(InputError) as error:
        extract(path, folder, Extraction(**options))
    assert [item.name for item in path.parent.iterdir() if "articles" in item.name and item != path] == []
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("kind", ["xml", "xml.bz2", "xml.gz"])
def test_a_dump_becomes_articles_redirects_and_a_card(tmp_path, kind):
    card, rows = extracted(write(tmp_path, dump(), kind))
    assert card["counts"] == {"pages": 12, "articles": 8, "redirects": 2, "paragraphs": 24, "characters": 348}
    assert rows[0] == {
        "doc_id": "1",
        "title": "Cat 1",
        "revision": 5001,
        "sections": [
            {"path": "", "paragraphs": ["Cat 1 is a cat."]},
            {"path": "Food", "paragraphs": ["It eats 1 mice & rats.", "Often."]},
        ],
    }
    assert [row["title"] for row in rows] == [f"Cat {number}" for number in (1, 2, 4, 5, 7, 8, 10, 11)]
    redirects = pq.read_table(tmp_path / "articles/redirects.parquet").to_pylist()
    assert redirects == [
        {"doc_id": "6", "title": "Old 6", "target": "Cat 5"},
        {"doc_id": "12", "title": "Old 12", "target": "Cat 11"},
    ]
    assert card["notes"] == []


def test_the_bytes_depend_on_neither_compression_nor_streams_nor_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(dump_pages, "BATCH", 3000)
    monkeypatch.setattr(dump_files, "SMALLEST_PART", 2000)
    monkeypatch.setattr(dump_files, "CHUNK", 1500)
    page_xml = pages(60)
    xml = dump(page_xml)
    (tmp_path / "one").mkdir()
    extract(write(tmp_path, xml), tmp_path / "one/articles")
    expected = bytes_of(tmp_path / "one/articles")
    expected.pop("card.json")
    ways = {
        "single": (bz2.compress(xml), 1),
        "multistream": (multistream(page_xml), 1),
        "multistream-2": (multistream(page_xml), 2),
        "multistream-3": (multistream(page_xml, per_stream=7), 3),
        "streams-anywhere": (cut_into_streams(xml, 1111), 1),
        "streams-anywhere-2": (cut_into_streams(xml, 5000), 2),
        "single-2": (bz2.compress(xml), 2),
    }
    for name, (data, processes) in ways.items():
        path = tmp_path / f"{name}.xml.bz2"
        path.write_bytes(data)
        extract(path, tmp_path / name, processes=processes)
        written = bytes_of(tmp_path / name)
        written.pop("card.json")
        assert written == expected, name


def test_a_stream_too_long_for_one_group_is_read_piece_by_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(dump_files, "LARGEST_STREAM", 4000)
    monkeypatch.setattr(dump_files, "CHUNK", 1000)
    page_xml = [*pages(6), page(7, "Long", "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(9000)))]
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(multistream(page_xml, per_stream=1))
    card, _ = extracted(path)
    assert card["counts"]["pages"] == 7


def test_threads_of_the_caller_give_the_same_bytes(tmp_path):
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(multistream(pages(40)))
    extract(path, tmp_path / "here")
    with concurrent.futures.ThreadPoolExecutor(3) as executor:
        extract(path, tmp_path / "there", executor=executor)
    assert bytes_of(tmp_path / "here") == bytes_of(tmp_path / "there")


def test_a_dask_client_gives_the_same_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(multistream(pages(40)))
    extract(path, tmp_path / "here")
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        extract(path, tmp_path / "there", executor=client)
    assert bytes_of(tmp_path / "here") == bytes_of(tmp_path / "there")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("kind", ["xml", "xml.bz2"])
def test_other_encodings(tmp_path, encoding, kind):
    text = dump([page(1, "Котка", "Котката е 猫 𝒳 [[бозайник]].")], "bg").decode()
    _, rows = extracted(write(tmp_path, text.encode(encoding), kind), language="bg")
    assert rows[0]["title"] == "Котка"
    assert rows[0]["sections"][0]["paragraphs"] == ["Котката е 猫 𝒳 бозайник."]


def test_a_declared_encoding_and_carriage_returns(tmp_path):
    text = (
        '<?xml version="1.0" encoding="windows-1251"?>\n' + dump([page(1, "Котка", "Котка.\n\nКуче.")], "bg").decode()
    )
    _, rows = extracted(write(tmp_path, text.replace("\n", "\r\n").encode("windows-1251")), language="bg")
    assert rows[0]["sections"][0]["paragraphs"] == ["Котка.", "Куче."]


def test_a_dump_without_siteinfo_or_namespace_elements(tmp_path):
    page_xml = [
        page(1, "Cat", "A cat."),
        page(2, "Talk:Cat", "So?", namespace=1),
        page(3, "User:X", "Me.", namespace=2),
    ]
    start = '<mediawiki version="0.3" xml:lang="en">\n'
    old = (
        start
        + "".join(page_xml).replace("<ns>0</ns>", "").replace("<ns>1</ns>", "").replace("<ns>2</ns>", "")
        + "</mediawiki>"
    )
    card, _ = extracted(write(tmp_path, old.encode()))
    assert (card["counts"]["pages"], card["counts"]["articles"]) == (3, 1)


def test_a_version_of_thousands_of_digits(tmp_path):
    xml = dump().replace(b'version="0.10"', b'version="' + b"1" * 5_000 + b'"')
    assert extracted(write(tmp_path, xml))[1] == extracted(write(tmp_path, dump()))[1]


def test_a_redirect_that_only_its_text_shows(tmp_path):
    card, _ = extracted(write(tmp_path, dump([page(1, "Cat", "A cat."), page(2, "Cats", "#redirect: [[Cat#Food|x]]")])))
    assert card["counts"]["redirects"] == 1
    assert pq.read_table(tmp_path / "articles/redirects.parquet").to_pylist()[0]["target"] == "Cat"


def test_a_redirect_whose_blanks_do_not_end_is_an_article(tmp_path):
    text = "#REDIRECT" + " " * 1_000_000 + "x"  # not timed: a search from every blank would take more than a test may
    _, rows = extracted(write(tmp_path, dump([page(1, "Cat", text)])))
    assert rows[0]["sections"][0]["paragraphs"] == ["REDIRECT x"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "#WEITERLEITUNG [[Katze]]"),
        ("fr", "#redirection [[Katze]]"),
        ("es", "#REDIRECCIÓN: [[Katze]]"),
        ("ru", "#перенаправление [[Katze#Futter]]"),
        ("ja", "#転送 [[Katze]]"),
        ("zh", "#重定向 [[Katze|x]]"),
        ("fa", "#تغییر_مسیر [[Katze]]"),
        ("de", "#REDIRECT [[Katze]]"),
    ],
)
def test_the_words_for_a_redirect_in_other_languages(tmp_path, language, text):
    pages_xml = [page(1, "Katze", "A cat."), page(2, "Kater", text)]
    card, rows = extracted(write(tmp_path, dump(pages_xml, language)), language=language)
    assert card["counts"]["redirects"] == 1 and [row["title"] for row in rows] == ["Katze"]
    assert pq.read_table(tmp_path / "articles/redirects.parquet").to_pylist()[0]["target"] == "Katze"


def test_pages_of_a_new_content_model_are_left_out_with_a_note(tmp_path):
    new = page(2, "Talk:X", "{}", namespace=1).replace("<model>wikitext", "<model>zoology-chart")
    card, rows = extracted(write(tmp_path, dump([page(1, "A", "a"), new, page(3, "B", "b")])))
    assert [row["title"] for row in rows] == ["A", "B"]
    assert card["notes"] == ["1 page left out for a content model that is not known: 'Talk:X'"]


def test_pages_without_text_are_noted(tmp_path):
    deleted = page(3, "C", "").replace("<text", '<text deleted="deleted"', 1)
    card, rows = extracted(write(tmp_path, dump([page(1, "A", "a"), page(2, "B", ""), deleted])))
    assert len(rows) == 3 and card["notes"] == ["2 pages without text: 'B', 'C'"]


def test_templates_are_counted_on_the_card(tmp_path):
    texts = ["A {{lang|de|Katze}} {{kit|x}} b{{clear}} c.", "{{Box}}\nThe {{kit}} and {{HMS|Cat}}.", "{{Pet|x}} is."]
    path = write(tmp_path, dump([page(number, f"P{number}", text) for number, text in enumerate(texts, start=1)]))
    card, _ = extracted(path)
    assert card["templates"] == {
        "rendered": 2,
        "silent": 1,
        "dropped": 3,
        "alone": 1,
        "most_dropped": [
            {"name": "kit", "count": 2, "around": "… b"},
            {"name": "pet", "count": 1, "around": "… is."},
        ],
        "most_silent": [{"name": "clear", "count": 1}],
    }
    assert read_card(tmp_path / "articles")["templates"] == card["templates"]
    extraction = Extraction(templates=TemplateRules(unknown="mark", rules={"Kit": "kitten"}))
    extract(path, tmp_path / "other", extraction, processes=2)
    paragraphs = [
        text for row in articles(tmp_path / "other") for part in row["sections"] for text in part["paragraphs"]
    ]
    assert paragraphs == ["A Katze kitten b c.", "The kitten and HMS Cat.", "{{Pet}} is."]
    with pytest.raises(InputError, match="looks up the table 'colours'"):
        extract(path, tmp_path / "other", Extraction(templates=TemplateRules(rules={"kit": "{1:colours}"})))


def test_an_article_without_text_is_an_article(tmp_path):
    _, rows = extracted(
        write(tmp_path, dump([page(1, "Empty", ""), page(2, "Markup", "{{x}}"), page(3, "Cat", "A cat.")]))
    )
    assert [(row["title"], len(row["sections"])) for row in rows] == [("Empty", 0), ("Markup", 0), ("Cat", 1)]


def test_a_split_dump_is_read_in_the_order_of_its_pages(tmp_path):
    page_xml = pages(12)
    paths = [
        tmp_path / "x-articles2.xml-p7p12",
        tmp_path / "x-articles10.xml-p13p20",
        tmp_path / "x-articles1.xml-p1p6",
    ]
    for path, group in zip(paths, (page_xml[6:], [page(13, "Last", "x")], page_xml[:6]), strict=True):
        path.write_bytes(dump(group))
    ordered = dump_files.dump_parts([*paths, tmp_path / "x-multistream-index.txt.bz2"])
    assert [path.name[10:12].rstrip(".") for path in ordered] == ["1", "2", "10"]
    card = extract(ordered, tmp_path / "articles")
    assert card["counts"]["pages"] == 13
    with pytest.raises(InputError, match="the page id 1 occurs twice"):
        extract([ordered[0], ordered[0]], tmp_path / "articles")


def test_notes_and_refusals_by_sha1(tmp_path):
    page_xml = pages(12)
    changed = [*page_xml[:4], page_xml[4].replace("mice", "moles"), *page_xml[5:]]
    message = refused(write(tmp_path, dump(changed)))
    assert "1 of 12 pages do not have the SHA-1" in message and "'Cat 5'" in message and "wikipedia.verify" in message
    card, _ = extracted(write(tmp_path, dump(changed)), verify=False)
    assert "'Cat 5'" in card["notes"][0]
    card, _ = extracted(write(tmp_path, dump([text.replace("mice", "moles") for text in page_xml[:2]])))
    assert "could not be verified" in card["notes"][0]


def merged(page_xml, first, second):
    """What is left when a span from the text of one page to the text of another is lost."""
    xml = "".join(page_xml)
    start, end = xml.index(f"It eats {first}"), xml.index(f"It eats {second}")
    return header() + xml[:start] + xml[end:] + "</mediawiki>\n"


BAD = {
    "empty": (b"", "found an empty file"),
    "text": (b"hello", "found something else"),
    "7z": (b"7z\xbc\xaf'\x1c..", "a 7z archive"),
    "html": (b"<html><body></body></html>", "root is <mediawiki>, found 'html'"),
    "no xml": (b"<<<", "found something else"),
    "no pages": (dump([]), "no pages"),
    "only the header": (header().encode(), "cut off between two pages"),
    "no article": (dump([page(3, "Talk:Cat", "x", 1)]), "none of the 1 pages is an article"),
    "document type": (b'<!DOCTYPE m [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>' + dump(), "declares a document type"),
    "entity": (dump().replace(b"mice &amp;", b"mice &bomb;", 1), "not well-formed"),
    "cut in a page": (dump()[:-700], "inside its last page ('Cat 11'), which does not end"),
    "cut between pages": (dump().replace(b"</mediawiki>", b""), "cut off between two pages"),
    "twice": (dump([*pages(), pages()[0]]), "the page id 1 occurs twice; the last good page is 'Old 12'"),
    "two dumps": (dump() + dump(), "not well-formed"),
    "unknown element": (dump().replace(b"<redirect ", b"<redirecu ", 1), "unknown element <redirecu>"),
    "unknown namespace": (
        dump().replace(b"<ns>1</ns>", b"<ns>9</ns>", 1),
        "namespace 9, which the header does not list",
    ),
    "wrong namespace": (dump().replace(b"<ns>0</ns>", b"<ns>1</ns>", 1), "its title does not say so"),
    "no number": (dump().replace(b"<ns>0</ns>", b"<ns>O</ns>", 1), "expected a number"),
    "no title": (dump().replace(b"<title>Cat 2</title>", b"<title></title>"), "has no <title>"),
    "no text": (dump().replace(b"<text ", b"<tekst ", 1).replace(b"</text>", b"</tekst>", 1), "has no <text>"),
    "stub": (dump().replace(b'xml:space="preserve">#REDIRECT [[Cat 5]]', b'bytes="20">', 1), "not a stub dump"),
    "history": (dump().replace(b"</revision>", b"</revision><revision><id>1</id></revision>", 1), "several revisions"),
    "content model": (dump().replace(b"<model>wikitext", b"<model>wikjtext", 1), "unknown content model 'wikjtext'"),
    "redirect nowhere": (dump([page(1, "A", "x", redirect="B").replace('title="B"', "")]), "has no target"),
    "text between pages": (dump().replace(b"</page>", b"</page>x<b/>", 1), "unknown element <b>"),
    "lost pages": (merged(pages(), 2, 7).encode(), "SHA-1"),
    "namespaces": (dump().replace(b'key="0"', b'key="1"', 1), "expected a new namespace number"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_dumps_get_one_clear_sentence_and_leave_nothing(tmp_path, name):
    xml, expected = BAD[name]
    assert expected in refused(write(tmp_path, xml))


def test_where_xml_breaks(tmp_path, monkeypatch):
    monkeypatch.setattr(dump_pages, "BATCH", 2000)
    xml = dump()
    position = xml.index(b"It eats 8")
    broken = xml[:position] + b"\x00" + xml[position + 1 :]
    line = xml[:position].count(b"\n") + 1
    message = refused(write(tmp_path, broken))
    assert (
        f"byte {position} of the XML (line {line})" in message
        and "the last good page is 'Cat 7' (5 articles" in message
    )
    (tmp_path / "wiki-pages-articles.xml").unlink()
    path = tmp_path / "wiki.xml.bz2"
    page_xml = pages()
    page_xml[7] = page_xml[7].replace("It eats", "\x00t eats")
    path.write_bytes(multistream(page_xml))
    assert f"byte {position} of the XML (line {line})" in refused(path)


def test_where_compressed_files_break(tmp_path):
    noise = "".join(chr(0x4E00 + i * i * 7919 % 20000) for i in range(400_000))
    xml = dump([*pages(), page(13, "Noise", noise)])
    whole = bz2.compress(xml, 1)
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(whole[: len(whole) // 2])
    assert f"cut off at byte {len(whole) // 2} of the file; the last good page is 'Old 12'" in refused(path)
    path.write_bytes(whole[: len(whole) // 2] + b"x" * 20 + whole[len(whole) // 2 + 20 :])
    assert "bzip2 data is damaged before byte" in refused(path)
    path.write_bytes(whole + b"more")
    assert "something else follows a complete stream" in refused(path)
    packed = gzip.compress(xml)
    path = tmp_path / "wiki.xml.gz"
    path.write_bytes(packed[:-9])
    assert "gzip data is cut off at byte" in refused(path)
    path.write_bytes(packed[:300_000] + b"xxxx" + packed[300_004:])
    assert "gzip data is damaged" in refused(path)


def test_padding_after_the_last_stream_is_no_damage(tmp_path):
    path = tmp_path / "wiki.xml.bz2"
    for data in (bz2.compress(dump()), multistream(pages())):
        path.write_bytes(data + b"\0" * 1000)
        assert extracted(path)[0]["counts"]["pages"] == 12


@pytest.mark.parametrize("kind", ["xml", "xml.bz2", "xml.gz"])
@pytest.mark.parametrize("named", ["xml", "xml.bz2", "xml.gz"])
def test_a_wrong_extension_is_named(tmp_path, kind, named):
    path = write(tmp_path, dump(), kind).rename(tmp_path / f"wiki.{named}")
    if kind == named:
        assert extracted(path)[0]["counts"]["pages"] == 12
    else:
        assert "the name says" in refused(path)


def test_a_missing_file_and_a_folder(tmp_path):
    assert "there is no such file" in refused(tmp_path / "wiki.xml")
    (tmp_path / "wiki.xml").mkdir()
    assert "cannot be read" in refused(tmp_path / "wiki.xml")


def test_another_language_is_refused(tmp_path):
    assert "the language asked for is 'de', but the dump says xml:lang='en'" in refused(
        write(tmp_path, dump()), language="de"
    )


def test_salvage_keeps_what_precedes_the_break(tmp_path, monkeypatch):
    monkeypatch.setattr(dump_pages, "BATCH", 2000)
    xml = dump(pages(30))
    position = xml.index(b"It eats 20 ")
    for broken in (
        xml[:position],
        xml[:position] + b"\x00" + xml[position + 1 :],
        dump([*pages(19), pages()[0], *pages(30)[20:]]),
    ):
        card, rows = extracted(write(tmp_path, broken), on_error="salvage")
        assert [row["title"] for row in rows][-1] == "Cat 19" and len(rows) == 13
        assert card["notes"][0].startswith("salvaged: wiki-pages-articles.xml: ")
        assert "the last good page is 'Cat 19'" in card["notes"][0]


def test_salvage_keeps_the_streams_before_a_damaged_one(tmp_path):
    data = multistream(pages(12))
    position = [match.start() for match in dump_files.STREAM.finditer(data)][4]
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(data[: position + 40] + b"????" + data[position + 44 :])
    card, rows = extracted(path, on_error="salvage")
    assert [row["title"] for row in rows][-1] == "Cat 5" and "the last good page is 'Old 6'" in card["notes"][0]


def test_salvage_of_nothing_is_refused(tmp_path):
    xml = dump()
    assert "no page before it is good" in refused(write(tmp_path, xml[: len(header()) + 300]), on_error="salvage")


def test_a_refused_dump_leaves_the_earlier_corpus(tmp_path):
    path = write(tmp_path, dump())
    extracted(path)
    before = bytes_of(tmp_path / "articles")
    path.write_bytes(dump()[:-500])
    with pytest.raises(InputError):
        extract(path, tmp_path / "articles")
    assert bytes_of(tmp_path / "articles") == before


def test_streams_that_expand_without_end_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(dump_pages, "LARGEST_PART", 100_000)
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(multistream([page(1, "A", "x"), page(2, "B", "y" * 200_000)], per_stream=1))
    assert "expand to more than" in refused(path)


def test_unpacked_reads_any_number_of_streams():
    data = b"".join(bz2.compress(bytes([65 + number]) * 1000) for number in range(5)) + bz2.compress(b"")
    assert b"".join(dump_files.unpacked(io.BytesIO(data))) == b"".join(bytes([65 + n]) * 1000 for n in range(5))


@pytest.mark.parametrize("processes", [1, 2])
def test_characters_one_cannot_see_are_taken_out_and_counted(tmp_path, processes):
    text = (
        "The co\u00adop\u200b of &lrm;می\u200cخواهم.\n\n\u200e\n\n== Foo\u200ed ==\nIt eats\u2060 [[mouse|mi\ufeffce]]."
    )
    path = write(tmp_path, dump([page(1, "Cat", text), page(2, "Dog", "A dog.")]))
    card = extract(path, tmp_path / "articles", Extraction(), processes=processes)
    assert [(section["path"], section["paragraphs"]) for section in articles(tmp_path / "articles")[0]["sections"]] == [
        ("", ["The coop of می\u200cخواهم."]),
        ("Food", ["It eats mice."]),
    ]
    assert card["counts"]["invisible_characters"] == 7
