"""Names by types from dumps: what is read, what is told of broken ones, and going on after a stop."""

import gzip

import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.freebase import dump_blocks, made_dump
from repline.corpora.freebase.dumps import write_dump
from repline.corpora.freebase.rdf_scan import unescaped
from repline.corpora.freebase.recipes import Dump
from repline.corpora.wikipedia import dump_files
from repline.errors import InputError
from tests.corpora.freebase.small_dumps import LINES, NAMES, TYPE_MAP, item, kind, name, wikidata, write_gzip

WRONG = "<http://rdf.freebase.com/ns/m.0b> no tabs here .\n"


def dump(folder, **knobs):
    return Dump(**{"source": "dump", "kind": "freebase", "type_map": str(folder / "map.tsv")} | knobs)


@pytest.fixture
def write(tmp_path):
    """A function that writes a dump's names: made(lines) -> {name: {type: count}}."""

    def make(lines, suffix=".nt.gz", members=1, type_map=TYPE_MAP, **knobs):
        (tmp_path / "map.tsv").write_text(type_map)
        (tmp_path / "dump").mkdir(exist_ok=True)
        path = tmp_path / "dump" / f"dump{suffix}"
        if suffix.endswith(".gz"):
            write_gzip(path, lines, members)
        else:
            path.write_text("".join(lines), encoding="utf-8")
        write_dump(tmp_path / "out", dump(tmp_path, **knobs), tmp_path, scratch=tmp_path / "scratch")
        return read(tmp_path / "out")

    return make


def read(folder):
    names = {}
    for words in ("single", "multi"):
        for path in sorted(folder.glob(f"{words}-*.parquet")):
            for row in pq.read_table(path).to_pylist():
                assert (" " in row["name"]) == (words == "multi")
                names[row["name"]] = dict(zip(row["types"], row["counts"], strict=True))
    return names


@pytest.mark.parametrize("kind_of_dump", ["freebase", "wikidata"])
def test_names_are_cleaned(write, tmp_path, kind_of_dump):
    texts = ["Cafe\u0301 \u200bParis", "café paris", "It\x92s\u00ad", "\u200b"]
    lines = [kind("m.0b", "people.person"), *(name("m.0b", f'"{text}"@en') for text in texts)]
    if kind_of_dump == "wikidata":
        lines = wikidata(item("Q1", texts[0], texts[1:], ["Q5"]))
    type_map = {"freebase": TYPE_MAP, "wikidata": "Q5\t/person\n"}[kind_of_dump]
    suffix = {"freebase": ".nt.gz", "wikidata": ".json"}[kind_of_dump]
    assert write(lines, suffix, type_map=type_map, kind=kind_of_dump) == {
        "café paris": {"/person": 1},
        "it’s": {"/person": 1},
    }
    assert read_card(tmp_path / "out")["counts"]["invisible_characters"] == 3


def test_names_and_aliases_by_the_types_of_all_that_bear_them(write, tmp_path):
    assert write(LINES) == NAMES
    card = read_card(tmp_path / "out")
    assert card["counts"]["lines"] == len(LINES) and card["counts"]["pairs"] == sum(map(len, NAMES.values()))
    assert card["counts"]["other_subjects"] == 1 and card["counts"]["other_objects"] == 4
    assert card["notes"] == ["1 types of the map belong to no entity: food.food"]
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.parametrize("members", [2, 7])
def test_a_file_of_many_members_is_read_the_same_in_any_pieces(write, monkeypatch, members):
    monkeypatch.setattr(dump_blocks, "SMALLEST_STRETCH", 20)
    monkeypatch.setattr(dump_blocks, "BLOCK", 300)
    monkeypatch.setattr(dump_files, "CHUNK", 200)
    assert write(LINES, members=members) == NAMES


def test_members_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(dump_blocks, "SMALLEST_STRETCH", 20)
    path = write_gzip(tmp_path / "dump.gz", LINES, 3)
    names = dump_blocks.stretches(path)
    assert len(names) == 3 and names[-1].end == path.stat().st_size
    assert [stretch.end for stretch in names[:-1]] == [stretch.start for stretch in names[1:]]


def test_other_languages_and_plain_files(write):
    names = write(LINES, suffix=".nt", languages=["ja"])
    assert names == {"ワシントン": {"/person": 1}}


def test_two_processes_make_the_same(write, tmp_path, monkeypatch):
    monkeypatch.setattr(dump_blocks, "SMALLEST_STRETCH", 200)
    folder = tmp_path / "dump"
    folder.mkdir()
    made_dump.write(folder, entities=50)
    (tmp_path / "map.tsv").write_text(TYPE_MAP)
    knobs = {"data": tmp_path, "scratch": tmp_path / "scratch"}
    stretch = write_dump(tmp_path / "one", dump(tmp_path), **knobs)
    (folder / "second.gz").write_bytes((folder / made_dump.FILE).read_bytes())
    two = write_dump(tmp_path / "two", dump(tmp_path), processes=2, **knobs)
    assert two["counts"]["lines"] == 2 * stretch["counts"]["lines"]
    assert read(tmp_path / "one") == read(tmp_path / "two")  # an entity counts once


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (WRONG, "line 4: expected a triple between tabs that ends with a dot, found .*no tabs here"),
        (LINES[0].replace("\t.\n", "\n"), "line 4: expected a triple"),
        (LINES[0].replace("\t.\n", "\t;\n"), "line 4: expected a triple"),
    ],
)
def test_a_line_that_is_no_triple_is_named_or_left_out(write, tmp_path, line, message):
    lines = [*LINES[:3], line, *LINES[3:]]
    with pytest.raises(InputError, match=f"dump.nt.gz, {message}.*; set on_error to salvage"):
        write(lines)
    assert not (tmp_path / "out").exists()
    assert write(lines, on_error="salvage") == NAMES
    assert "salvaged: 1 wrong lines were left out" in read_card(tmp_path / "out")["notes"]


def test_the_line_is_counted_over_members(write, monkeypatch):
    monkeypatch.setattr(dump_blocks, "SMALLEST_STRETCH", 20)
    monkeypatch.setattr(dump_blocks, "BLOCK", 300)
    monkeypatch.setattr(dump_files, "CHUNK", 200)
    with pytest.raises(InputError, match="line 17: expected a triple"):
        write([*LINES[:16], WRONG, *LINES[16:]], members=4)


def test_bytes_that_are_no_utf_8_are_named_or_left_out(write, tmp_path):
    write(LINES)
    path = tmp_path / "dump/dump.nt.gz"
    raw = "".join(LINES).encode().replace("Zoë".encode(), b"Zo\xeb")
    path.write_bytes(gzip.compress(raw))
    knobs = {"data": tmp_path, "scratch": tmp_path / "scratch"}
    with pytest.raises(InputError, match="line 16: expected UTF-8 text"):
        write_dump(tmp_path / "out", dump(tmp_path, source="dump/dump.nt.gz"), **knobs)
    write_dump(tmp_path / "out", dump(tmp_path, source="dump/dump.nt.gz", on_error="salvage"), **knobs)
    assert read(tmp_path / "out") == {key: value for key, value in NAMES.items() if key != "zoë"}


def test_a_cut_gzip_is_told_or_what_precedes_is_kept(write, tmp_path):
    write(LINES)
    path = tmp_path / "dump/dump.nt.gz"
    path.write_bytes(path.read_bytes()[:-60])
    knobs = {"data": tmp_path, "scratch": tmp_path / "scratch"}
    with pytest.raises(
        InputError, match=r"the gzip data is cut off at byte \d+ of the file, after line \d+; get it again"
    ):
        write_dump(tmp_path / "none", dump(tmp_path, source="dump/dump.nt.gz"), **knobs)
    assert not (tmp_path / "none").exists()
    write_dump(tmp_path / "out", dump(tmp_path, source="dump/dump.nt.gz", on_error="salvage"), **knobs)
    names = read(tmp_path / "out")
    assert names["general washington"] == {"/person": 1} and "zoë" not in names
    assert "what follows is lost" in read_card(tmp_path / "out")["notes"][0]


@pytest.mark.parametrize(
    ("type_map", "message"),
    [
        ("", "map.tsv: expected lines with a type of the source"),
        ("people.person\t/person\npeople person\t/person\n", "map.tsv, line 2: expected a type of the source"),
        ("people.person\tperson\n", "map.tsv, line 1: expected a type of the source"),
        ("music.album\t/music\n", "no entity has a name in en and a type of"),
    ],
)
def test_a_wrong_type_map_is_told(write, type_map, message):
    with pytest.raises(InputError, match=message):
        write(LINES, type_map=type_map)


def test_no_dump_and_a_wrong_suffix(write, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "map.tsv").write_text(TYPE_MAP)
    with pytest.raises(InputError, match="expected a dump"):
        write_dump(tmp_path / "out", dump(tmp_path, source="empty"), tmp_path)
    (tmp_path / "empty/dump.gz").write_text("plain")
    with pytest.raises(InputError, match="the name says gzip but the content is not"):
        write_dump(tmp_path / "out", dump(tmp_path, source="empty"), tmp_path)


def test_a_stopped_run_goes_on_after_its_last_block(write, monkeypatch, tmp_path):
    monkeypatch.setattr(dump_blocks, "BLOCK", 300)
    monkeypatch.setattr(dump_files, "CHUNK", 200)
    scanned = []
    original = dump_blocks._blocks_of

    def stopped(scan, text, scratch, block):
        if len(scanned) == 2:
            raise KeyboardInterrupt
        scanned.append(block)
        return original(scan, text, scratch, block)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(dump_blocks, "_blocks_of", stopped)
        write(LINES)
    assert len(list((tmp_path / "scratch").rglob("*.json"))) == 2
    seen = []

    def watched(scan, text, scratch, block):
        return original(lambda lines: seen.append(block) or scan(lines), text, scratch, block)

    # the dump is as it was: the blocks that are there are not scanned again
    monkeypatch.setattr(dump_blocks, "_blocks_of", watched)
    (tmp_path / "map.tsv").write_text(TYPE_MAP)
    knobs = {"data": tmp_path, "scratch": tmp_path / "scratch"}
    write_dump(tmp_path / "out", dump(tmp_path), **knobs)
    assert read(tmp_path / "out") == NAMES
    assert seen and not set(seen) & set(scanned)


def test_literals_without_their_escapes():
    assert unescaped(r"caf\u00e9 \"x\" a\\b \U0001F600 \ud83d\ude00 \q") == 'café "x" a\\b 😀 😀 \\q'


def test_a_made_dump_has_every_oddity_and_is_the_same_every_time(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        made_dump.write(tmp_path / folder, entities=60, members=folder == "b")
    first, second = (gzip.decompress((tmp_path / folder / made_dump.FILE).read_bytes()).decode() for folder in "ab")
    assert first == second
    for odd in ('\\"', "\\u00e9", "ü", "@ja", "/g.0", '"people.person"', "ns/people.person."):
        assert odd in first
    with pytest.raises(InputError, match="at least 1 entity"):
        made_dump.write(tmp_path / "a", entities=0)


CLASSES = "Q5\t/person\nQ515\t/location/city\n"


def test_entities_of_wikidata_have_the_types_of_all_classes_above(write, tmp_path):
    lines = wikidata(
        item("Q1", "Washington", ["General Washington"], instance=["Q5"]),
        item("Q2", "Washington", instance=["Q1549591"]),  # a big city
        item("Q1549591", "big city", subclass=["Q515", "Q3"]),
        item("Q3", "a circle", subclass=["Q1549591"]),
        item("Q4", instance=["Q5"]),  # no label
        item("Q6", "Nothing", instance=["Q999"]),
        {"type": "property", "id": "P31"},
    )
    names = write(lines, suffix=".json.gz", kind="wikidata", type_map=CLASSES)
    assert names == {"washington": {"/person": 1, "/location/city": 1}, "general washington": {"/person": 1}}
    assert read_card(tmp_path / "out")["counts"]["other_subjects"] == 1


def test_a_line_of_wikidata_that_is_no_entity_is_named_or_left_out(write, tmp_path):
    good = item("Q1", "Ada", instance=["Q5"])
    lines = [*wikidata(good)[:2], ',\n{"type": "item", "id"', "\n]\n"]
    with pytest.raises(InputError, match=r"line 3: expected an entity of Wikidata as JSON, found '\{"):
        write(lines, suffix=".json", kind="wikidata", type_map=CLASSES)
    names = write(lines, suffix=".json", kind="wikidata", type_map=CLASSES, on_error="salvage")
    assert names == {"ada": {"/person": 1}}
