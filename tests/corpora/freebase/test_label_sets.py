"""Names of instances and places, and the label sets that are drawn of them or taken over."""

import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from repline.corpora.freebase.label_sets import SPLITS, read_label_set, write_label_set, write_own_label_set
from repline.corpora.freebase.named_instances import write_instances
from repline.corpora.freebase.recipes import Instances, LabelSet
from repline.errors import InputError
from repline.lexicons.wordnet import storage
from tests.corpora.entities.small_gazetteer import wordnet, write_places

RELEASED = Path(os.environ.get("REPLINE_MIRROR", "")) / "kg/name_typing"
TYPES = "person:organism\t/person\nadministrative_district:district\t/location/country\n"


def instances(type_map, **knobs):
    return Instances(wordnet="wordnet", geonames="places", type_map=str(type_map), **knobs)


@pytest.fixture
def names(tmp_path):
    """A folder of names by types, of a small wordnet and some places."""
    storage.save(wordnet(), tmp_path / "wordnet", name="small", licence="CC0", sources=[])
    (tmp_path / "types.tsv").write_text(TYPES)
    write_places(tmp_path / "places")
    write_instances(tmp_path / "names", instances(tmp_path / "types.tsv", smallest_city=1), tmp_path)
    return tmp_path / "names"


def rows(folder, words="single"):
    types_by_name = {}
    for path in sorted(folder.glob(f"{words}-*.parquet")):
        types_by_name |= {
            row["name"]: dict(zip(row["types"], row["counts"], strict=True)) for row in pq.read_table(path).to_pylist()
        }
    return types_by_name


def test_a_name_has_the_types_of_all_that_bear_it(names):
    single = rows(names)
    assert single["lincoln"] == {"/location": 1, "/location/city": 1, "/person": 1}
    assert single["finland"]["/location/country"] == 2  # in both lists
    assert rows(names, "multi")["niels bohr"] == {"/person": 1}
    assert list(single) == sorted(single)


def test_a_class_that_the_wordnet_has_not_is_told(tmp_path, names):
    (tmp_path / "wrong.tsv").write_text(TYPES + "unicorn:animal\t/living_thing\n")
    with pytest.raises(InputError, match=r"wrong.tsv, line 3: the source has no type 'unicorn:animal'"):
        write_instances(tmp_path / "out", instances(tmp_path / "wrong.tsv"), tmp_path)


def draw(name_table, tmp_path, **knobs):
    (tmp_path / "words").mkdir(exist_ok=True)
    words = [*rows(name_table), "the"]
    (tmp_path / "words/counts.txt").write_text("".join(f"{word} {10 + number}\n" for number, word in enumerate(words)))
    knobs = {"source": "names", "frequencies": "words", "minimum": 1, "least": 1, "shares": [0.4, 0.2, 0.4]} | knobs
    return write_label_set(tmp_path / "labels", LabelSet(**knobs), tmp_path)


def test_names_are_drawn_and_split(names, tmp_path):
    card = draw(names, tmp_path)
    table, types = read_label_set(tmp_path / "labels")
    single = rows(names)
    assert {row["name"]: row["types"] for row in table.to_pylist()} == {
        name: sorted(types) for name, types in single.items()
    }
    assert sum(card["counts"][split] for split in SPLITS) == card["counts"]["names"] == len(single)
    assert types[0] == "/location" and set(types) == {kind for types in single.values() for kind in types}
    first = table.to_pylist()
    draw(names, tmp_path, seed=1)
    assert read_label_set(tmp_path / "labels")[0].to_pylist() != first
    draw(names, tmp_path)
    assert read_label_set(tmp_path / "labels")[0].to_pylist() == first


def test_rare_names_and_rare_types_are_left_out(names, tmp_path):
    card = draw(names, tmp_path, types=1)
    assert card["counts"]["types"] == 1
    every = rows(names)
    draw(names, tmp_path, minimum=10 + len(every) - 3)
    assert {row["name"] for row in read_label_set(tmp_path / "labels")[0].to_pylist()} == set(list(every)[-3:])


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"minimum": 1e9}, "names that are frequent enough and have a type of at least"),
        ({"names": 10_000}, "expected 10000 names that are frequent enough"),
        ({"shares": [0.5, 0.2, 0.2]}, "that sum to 1"),
        ({"frequencies": None}, "names by types need word frequencies"),
    ],
)
def test_a_set_that_cannot_be_drawn_is_told(names, tmp_path, knobs, message):
    with pytest.raises(InputError, match=message):
        draw(names, tmp_path, **knobs)
    assert not (tmp_path / "labels").exists()


FILES = {
    "types": "/person\t5\n/location\t9",
    "train": "ada\t/person\nparis\t/location /person",
    "dev": "rome\t/location",
    "test": "bonn\t/location\nkim\t/person",
}


def released(folder, **changes):
    folder.mkdir(exist_ok=True)
    for name, text in (FILES | changes).items():
        (folder / f"{name}.tsv").write_text(text)


def test_released_files_are_taken_over_without_a_last_newline(tmp_path):
    released(tmp_path / "raw")
    write_label_set(tmp_path / "labels", LabelSet(source="raw"), tmp_path)
    table, types = read_label_set(tmp_path / "labels")
    assert types == ["/location", "/person"]
    assert [(row["name"], row["types"], row["split"]) for row in table.to_pylist()] == [
        ("ada", ["/person"], "train"),
        ("paris", ["/location", "/person"], "train"),
        ("rome", ["/location"], "dev"),
        ("bonn", ["/location"], "test"),
        ("kim", ["/person"], "test"),
    ]


def test_released_types_have_any_name(tmp_path):
    released(tmp_path / "raw", types="/location\t4\nperson\t5\n", train="ada\tperson\n\n", test="kim\tperson")
    write_label_set(tmp_path / "labels", LabelSet(source="raw"), tmp_path)
    assert read_label_set(tmp_path / "labels")[1] == ["person", "/location"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dev": "rome\t/location /city"}, "dev.tsv, line 1: expected a name, a tab and types of types.tsv"),
        ({"test": "bonn\t/location\nada\t/person"}, "test.tsv, line 2: the name 'ada' is there twice, first in train"),
        ({"types": "/person five"}, "types.tsv, line 1: expected a type, a tab and its count"),
        ({"train": "ada\t/person /person"}, "train.tsv, line 1: expected a name"),
        ({"train": "ada"}, "train.tsv, line 1: expected a name"),
    ],
)
def test_broken_released_files_are_told(tmp_path, changes, message):
    released(tmp_path / "raw", **changes)
    with pytest.raises(InputError, match=message):
        write_label_set(tmp_path / "labels", LabelSet(source="raw"), tmp_path)


@pytest.mark.skipif(not RELEASED.is_dir(), reason="REPLINE_MIRROR has no released names")
def test_the_released_files_are_what_they_are_known_to_be(tmp_path):
    write_label_set(tmp_path / "labels", LabelSet(source=str(RELEASED)))
    table, types = read_label_set(tmp_path / "labels")
    assert len(types) == 50 and len(set(table["name"].to_pylist())) == 100_000
    number = np.array([len(split) for split in table["types"].to_pylist()])
    part_of = np.array(table["split"].to_pylist())
    assert [int((part_of == split).sum()) for split in SPLITS] == [50_000, 20_000, 30_000]
    assert [number[part_of == split].mean() for split in SPLITS] == pytest.approx([2.87674, 2.8818, 2.868767], abs=1e-6)
    for split in SPLITS:
        part = table.filter(part_of == split)["types"].to_pylist()
        assert len({kind for kinds in part for kind in kinds}) == 50


def test_no_label_set_is_told(tmp_path):
    with pytest.raises(InputError, match="this is no label set"):
        read_label_set(tmp_path)


@pytest.mark.parametrize("head", ["", "name\ttypes\n", "Name\tType\n"])
def test_a_table_of_ones_own_may_have_a_head_and_quotation_marks(tmp_path, head):
    rows = ["Paris\tcity location", '"Jane Doe"\t"person, living"', "Rome\tcity", "Bern\tcity", "Ada\tperson,"]
    (tmp_path / "names.tsv").write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    write_own_label_set(tmp_path / "names.tsv", tmp_path / "labels")
    table = pq.read_table(tmp_path / "labels/names.parquet")
    assert sorted(table["name"].to_pylist()) == ["Ada", "Bern", "Jane_Doe", "Paris", "Rome"]
    kinds = {kind for kinds in table["types"].to_pylist() for kind in kinds}
    assert kinds == {"city", "living", "location", "person,"}
