"""Readers of graphs: the forms of the files, what is wrong with a line, and what is salvaged."""

import gzip
import json

import numpy as np
import pytest

from repline.cards import write_card
from repline.errors import InputError
from repline.graphs.geonames_graph import read_geonames
from repline.graphs.graph_corpus import build
from repline.graphs.graph_files import read_graph
from repline.graphs.knowledge_graph import SPLITS, load
from repline.graphs.recipes import GraphSettings

IDS = {
    "entity2id.txt": "3\nb\t1\na\t0\nc d\t2\n",
    "relation2id.txt": "2\nlikes\t0\nknows\t1\n",
    "train2id.txt": "2\n0 1 0\n1 2 1\n",
    "test2id.txt": "1\n0\t2\t1\n",
    "attr2id.txt": "2\nage\t0\nsize\t1\n",
    "attrm2id.txt": "3\n0\t0\t0.6551724137931034\n2\t1\t0.5\n2\t1\t0.7\n",
}


def write(folder, files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_id_files_are_head_tail_relation(tmp_path):
    graph = read_graph(write(tmp_path, IDS))
    assert graph.entities == ["a", "b", "c d"]
    assert graph.triples.tolist() == [[0, 0, 1], [1, 1, 2], [0, 1, 2]]  # head, relation, tail here
    assert [SPLITS[split] for split in graph.split] == ["train", "train", "test"]
    assert graph.numbers.value.tolist() == [0.6551724137931034, 0.5]
    assert graph.notes == ["1 numbers that are repeated were left out"]


def test_numbers_of_other_ids_are_joined_by_name(tmp_path):
    number_files = {"attribute_entity2id.txt": "3\nc d\t0\nstrange\t1\na\t2\n", "attrm2id.txt": "2\n0 0 0.25\n1 1 3\n"}
    graph = read_graph(write(tmp_path, IDS | number_files))
    assert graph.numbers.entity.tolist() == [2] and graph.numbers.value.tolist() == [0.25]
    assert graph.notes == ["1 numbers that are of no entity of the graph were left out"]


def test_text_files_name_entities(tmp_path):
    files = {"train.txt": "a\tr\tb\nb\tr\tc\n", "test.txt": "a\tr\tc\n", "numbers.tsv": "a\t<age>\t3\nz\tage\t1e3\n"}
    graph = read_graph(write(tmp_path, files))
    assert graph.entities == ["a", "b", "c"] and graph.attributes == ["age"]
    assert graph.numbers.value.tolist() == [3.0]
    (tmp_path / "train.txt").unlink()
    write(tmp_path, {"triples.tsv": "a\tr\tb\n\na\tr\tb\n"})
    graph = read_graph(tmp_path)
    assert graph.triples.tolist() == [[0, 0, 1]] and graph.notes[0] == "1 repeated triples were left out"


def test_quotation_marks_of_a_table_are_no_part_of_a_name(tmp_path):
    lines = ['"Bern"\t"in"\t"Schweiz"', 'Bern\tin\t"Schweiz, die ""alte"""', '"Al" Y\tin\tBern', '" "\tin\tBern']
    write(tmp_path, {"train.tsv": "\n".join(lines[:3]) + "\n"})
    graph = read_graph(tmp_path)
    assert graph.entities == ["Bern", "Schweiz", 'Schweiz, die "alte"', '"Al" Y'] and graph.relations == ["in"]
    write(tmp_path, {"train.tsv": "\n".join(lines) + "\n"})
    with pytest.raises(InputError, match=r"train\.tsv, line 4: expected head, relation, tail .*, and field 1 is empty"):
        read_graph(tmp_path)


def test_names_with_and_without_quotation_marks_are_counted(tmp_path):
    lines = ['"Heroes"\tby\tBowie', "Heroes\tby\tNBC", '"Lost"\t"by"\tABC', 'Heroes\tby\t"NBC"', '"Lost"\tby\tABC']
    graph = read_graph(write(tmp_path, {"triples.tsv": "\n".join(lines) + "\n"}))
    assert graph.entities == ["Heroes", "Bowie", "NBC", "Lost", "ABC"]
    expected = "names of {} stand with and without quotation marks, and were read as one each; the first is {!r}"
    assert graph.notes[:2] == [f"2 {expected.format('entities', 'Heroes')}", f"1 {expected.format('relations', 'by')}"]
    write(tmp_path, {"triples.tsv": f"{lines[0]}\n{lines[4]}\n"})
    assert not read_graph(tmp_path).notes


def test_attributes_lose_only_brackets_that_enclose_them(tmp_path):
    rows = [("a", "<10", 3), ("a", ">10", 8), ("b", "<10", 4), ("b", "<age>", 5), ("a", "age", 6), ("a", "<b> <c>", 7)]
    files = {"triples.tsv": "a\tr\tb\n", "numbers.tsv": "".join(f"{e}\t{n}\t{v}\n" for e, n, v in rows)}
    graph = read_graph(write(tmp_path, files))
    assert graph.attributes == ["<10", ">10", "age", "<b> <c>"]
    assert graph.numbers.value.tolist() == [3, 8, 4, 5, 6, 7]
    assert len(graph.notes) == 1 and graph.notes[0].startswith("1 names of attributes stand with and without")


@pytest.mark.parametrize("name", ["valid.tsv", "dev.txt", "validation.tsv", "val.tsv"])
def test_the_validation_triples_have_several_names(tmp_path, name):
    files = {"train.tsv": "a\tr\tb\n", name: "b\tr\ta\n", "test.tsv": "a\tr\ta\n"}
    graph = read_graph(write(tmp_path, files))
    assert [SPLITS[split] for split in graph.split.tolist()] == ["train", "valid", "test"]
    write(tmp_path, {"dev.tsv": "", "valid.txt": ""})
    with pytest.raises(InputError, match=r"dev\..* and valid\..* are both the part valid; keep one of the two"):
        read_graph(tmp_path)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("train2id.txt", "2\n0 1 0\n1 2\n", "train2id.txt, line 3: expected head tail relation, found 2 fields"),
        ("train2id.txt", "2\n0 1 0\n1 7 0\n", "line 3: there is no entity 7; ids are 0 to 2"),
        ("train2id.txt", "3\n0 1 0\n", "its first line announces 3 lines, found 1; the file may be cut"),
        ("train2id.txt", "0 1 0\n", "line 1: expected the number of lines that follow, found '0 1 0"),
        ("attrm2id.txt", "1\n0 0 nan\n", "attrm2id.txt, line 2: expected a finite number, found 'nan'"),
        ("attrm2id.txt", "1\n0 0 tall\n", "line 2: expected a finite number, found 'tall'"),
        ("entity2id.txt", "2\na\t0\nb\t2\n", "expected the ids 0, 1, 2, ..., found 2"),
        ("entity2id.txt", "2\na\t0\nb\tx\n", "line 3: expected a whole number, found 'x'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, file, text, message):
    write(tmp_path, IDS | {file: text})
    with pytest.raises(InputError) as error:
        read_graph(tmp_path)
    assert message in str(error.value)


def test_salvage_leaves_wrong_lines_out_and_says_so(tmp_path):
    write(tmp_path, IDS | {"train2id.txt": "3\n0 1 0\n1 7 0\n1 2 1\n", "attrm2id.txt": "2\n0 0 inf\n2 1 0.5\n"})
    graph = read_graph(tmp_path, on_error="salvage")
    assert graph.triples.tolist() == [[0, 0, 1], [1, 1, 2], [0, 1, 2]] and graph.numbers.value.tolist() == [0.5]
    assert graph.notes[0].startswith("salvaged: 2 wrong records left out: 1 (there is no entity N)")
    assert graph.notes[1].startswith("left out: train2id.txt, line 3: there is no entity 7")


@pytest.mark.parametrize("stem", ["entity2id", "relation2id", "attr2id"])
def test_a_name_with_several_ids_stops_the_reading_or_is_noted(tmp_path, stem):
    """A name with several ids could not be asked for: it would be one of them, and the others nobody's."""
    names = ['"Paris"', "Rome", "Paris", "Rome"]
    write(tmp_path, IDS | {f"{stem}.txt": "4\n" + "".join(f"{name}\t{number}\n" for number, name in enumerate(names))})
    problem = "expected a name of its own for each id, found 2 names with several ids; the first is 'Paris'"
    with pytest.raises(InputError, match=f"{stem}.txt: {problem}, with the ids 0, 2$"):
        read_graph(tmp_path)
    graph = read_graph(tmp_path, on_error="salvage")
    assert sum(problem in note for note in graph.notes) == 1 and len(graph.triples)


def test_a_cut_gzip_is_a_sentence_or_salvaged(tmp_path):
    random = np.random.default_rng(0)
    whole = gzip.compress("".join(f"e{a}\tr\te{b}\n" for a, b in random.integers(999, size=(3000, 2))).encode())
    (tmp_path / "triples.tsv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"triples.tsv.gz: the compression is damaged after line \d+"):
        read_graph(tmp_path)
    graph = read_graph(tmp_path, on_error="salvage")
    assert 100 < len(graph.triples) < 2999 and "damaged after line" in graph.notes[0]


def test_a_folder_without_a_graph_says_what_was_expected(tmp_path):
    with pytest.raises(InputError, match=r"there is no graph; expected triples.tsv"):
        read_graph(tmp_path)


def test_unseen_entities_of_the_test_stop_or_are_left_out(tmp_path):
    source = write(tmp_path / "mine", {"train.tsv": "a\tr\tb\nb\tr\ta\n", "test.tsv": "b\tr\tb\na\tr\tz\n"})
    with pytest.raises(InputError) as error:
        build(tmp_path / "out", GraphSettings(place="mine"), "knowledge_graphs.mine", tmp_path)
    assert "the first is ('a', 'r', 'z')" in str(error.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]
    for knobs in ({"on_error": "salvage"}, {"unseen": "drop"}):
        card = build(tmp_path / "out", GraphSettings(place="mine", **knobs), "knowledge_graphs.mine", tmp_path)
        assert card["counts"]["triples_test"] == 1 and card["counts"]["entities"] == 2
        assert card["notes"] == ["1 held-out triples with unseen entities or relations were left out"]
    assert load(tmp_path / "out").entities == ["a", "b"]
    assert source.is_dir()
    (source / "train.tsv").write_text("a\tr\tb\nb\tr\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"train\.tsv, line 2"):
        build(tmp_path / "out", GraphSettings(place="mine", unseen="drop"), "knowledge_graphs.mine", tmp_path)


def test_a_graph_that_was_never_split_asks_for_it(tmp_path):
    write(tmp_path / "mine", {"triples.tsv": "a\tr\tb\n"})
    with pytest.raises(InputError, match=r"the files have no test triples; set knowledge_graphs.mine.split to split"):
        build(tmp_path / "out", GraphSettings(place="mine"), "knowledge_graphs.mine", tmp_path)


def test_a_graph_that_is_too_small_for_its_split_says_so(tmp_path):
    write(tmp_path / "mine", {"triples.tsv": "a\tr\tb\n"})
    split = {"held_out": 0.2, "validation": 0.25, "seed": 0}
    said = r"^knowledge_graphs\.mine\.split: held_out 0\.2 of 1 triples leaves none for test; take more triples"
    with pytest.raises(InputError, match=said):
        build(tmp_path / "out", GraphSettings(place="mine", split=split), "knowledge_graphs.mine", tmp_path)


def test_geonames_become_triples_and_numbers(tmp_path):
    city = {"countrycode": "FR", "population": 500000, "timezone": "Europe/Paris", "admin1code": "11"}
    city |= {"latitude": 48.8, "longitude": 2.3}
    country = {"continentcode": "EU", "currencycode": "EUR", "neighbours": "DE,ES", "languages": "fr-FR,br"}
    country |= {"capital": "Paris", "population": 0, "areakm2": 5}
    cities = {"1": city | {"name": "Paris"}, "2": city | {"name": "Small", "population": 9}}
    (tmp_path / "cities.json").write_text(json.dumps(cities))
    (tmp_path / "countries.json").write_text(json.dumps({"FR": country}))
    graph = read_geonames(tmp_path)
    named = {(graph.entities[h], graph.relations[r], graph.entities[t]) for h, r, t in graph.triples}
    assert named == {
        ("city:1 Paris", "country", "country:FR"),
        ("city:1 Paris", "timezone", "timezone:Europe/Paris"),
        ("city:1 Paris", "admin1", "admin1:FR.11"),
        ("country:FR", "continent", "continent:EU"),
        ("country:FR", "currency", "currency:EUR"),
        ("country:FR", "neighbour", "country:DE"),
        ("country:FR", "neighbour", "country:ES"),
        ("country:FR", "language", "language:fr"),
        ("country:FR", "language", "language:br"),
        ("country:FR", "capital", "city:1 Paris"),
    }
    assert sorted(graph.numbers.value.tolist()) == [2.3, 5.0, 48.8, 500000.0]  # no population 0
    (tmp_path / "cities.json").write_text(json.dumps({"1": {"population": 400000}}))
    with pytest.raises(InputError, match="no tables of GeoNames"):
        read_geonames(tmp_path)


@pytest.mark.parametrize(
    ("capital", "expected"),
    [("Brasilia", "Brasília"), ("Kiev", "Kyiv"), ("Kijev", "Kijev"), ("Washington", None), ("Nowhere", None)],
)
def test_a_capital_is_found_without_accents_and_by_its_other_names(capital, expected, tmp_path):
    place = {"countrycode": "BR", "timezone": "x", "admin1code": "1", "latitude": 0.0, "longitude": 0.0}
    cities = {
        "1": {"name": "Kijev", "population": 600_000},
        "2": {"name": "Brasília", "population": 500_000},
        "3": {"name": "Kyiv", "population": 900_000, "alternatenames": ["Kiev", "Kijev"]},
        "4": {"name": "Seat", "population": 800_000, "alternatenames": ["Washington"]},
        "5": {"name": "Washington", "population": 10_000},  # the capital itself is too small for the graph
    }
    country = {"continentcode": "SA", "currencycode": "", "neighbours": "", "languages": "fil,haw", "capital": capital}
    (tmp_path / "cities.json").write_text(json.dumps({key: place | city for key, city in cities.items()}))
    (tmp_path / "countries.json").write_text(json.dumps({"BR": country | {"population": 0, "areakm2": 0}}))
    graph = read_geonames(tmp_path)
    named = [(graph.relations[relation], graph.entities[tail]) for _, relation, tail in graph.triples]
    assert [tail.split()[-1] for relation, tail in named if relation == "capital"] == [expected] * bool(expected)
    assert [tail for relation, tail in named if relation == "language"] == ["language:fil", "language:haw"]


def test_a_graph_of_ones_own_may_have_the_projects_card(tmp_path):
    source = write(tmp_path / "mine", {"train.tsv": "a\tr\tb\nb\tr\ta\n", "test.tsv": "b\tr\tb\n"})
    write_card(source, name="mine", description="", licence="CC BY", sources=[], parameters={}, counts={})
    card = build(tmp_path / "out", GraphSettings(place="mine"), "knowledge_graphs.mine", tmp_path)
    assert card["licence"] == "CC BY" and [file["name"] for file in card["sources"]] == ["test.tsv", "train.tsv"]
