import gzip
import random

import pytest

from repline.corpora.labelled.collections import made_benchmarks
from repline.corpora.labelled.collections.made_benchmarks import BOOKS, gloss_pairs, verse_kinds, wu_palmer
from repline.errors import InputError
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet


def noun(name, above=None, gloss=None):
    pointers = () if above is None else (Pointer("hypernym", above),)
    return Synset(name, "n", (name,), pointers, gloss or f'what is called a {name} by most people; "such {name}s"')


@pytest.fixture
def wordnet():
    """thing over animal and plant; twelve kinds of each, and three kinds of every kind."""
    synsets = [noun("thing"), noun("animal", "thing"), noun("plant", "thing")]
    for top in ("animal", "plant"):
        for number in range(12):
            synsets.append(noun(f"{top}{number}", top))
            synsets += [noun(f"{top}{number}{letter}", f"{top}{number}") for letter in "abc"]
    return WordNet(synsets)


def test_wu_palmer_is_the_share_of_the_way_that_is_common(wordnet):
    animal, sister, cousin, far = (wordnet[name] for name in ("animal0a", "animal0b", "animal1a", "plant0a"))
    assert wu_palmer(wordnet, animal, animal) == 1
    assert wu_palmer(wordnet, animal, sister) == 2 * 3 / 8
    assert wu_palmer(wordnet, animal, cousin) == 2 * 2 / 8
    assert wu_palmer(wordnet, animal, far) == 2 * 1 / 8
    assert wu_palmer(wordnet, animal, wordnet["animal0"]) == 2 * 3 / 7


def test_no_gloss_is_in_two_pairs_and_the_relations_are_true(wordnet):
    rows = gloss_pairs(wordnet, 6, random.Random(0))
    texts = [text for row in rows for text in row[:2]]
    assert len(rows) == 18 and len(set(texts)) == 36
    assert not any('"' in text for text in texts)
    named = {synset.gloss.partition('; "')[0]: synset for synset in wordnet}
    for first, second, relation, score in rows:
        first_synset, second_synset = named[first], named[second]
        if relation == "broader":
            assert first_synset.pointers[0].target == second_synset.id
        elif relation == "sister":
            assert first_synset.pointers[0].target == second_synset.pointers[0].target
        assert float(score) == pytest.approx(5 * wu_palmer(wordnet, first_synset, second_synset), abs=0.005)
    assert rows == gloss_pairs(wordnet, 6, random.Random(0))
    with pytest.raises(InputError, match="fewer than 60 pairs"):
        gloss_pairs(wordnet, 60, random.Random(0))


@pytest.fixture
def bible(tmp_path):
    """Two books of each kind with ten chapters of eight verses."""

    def write(name, rows):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as file:
            file.write("field\n" + "".join(",".join(f'"{field}"' for field in row) + "\n" for row in rows))

    write("key_genre_english.csv.gz", list(enumerate(BOOKS, 1)))
    books = [(2 * kind + half, f"{name} {half}", "OT", kind) for kind, name in enumerate(BOOKS, 1) for half in (0, 1)]
    write("key_english.csv.gz", books)
    verses = [
        (0, book, chapter, verse, f"{name} {chapter} and verse {verse}{{a note}} of it")
        for book, name, _, _ in books
        for chapter in range(10)
        for verse in range(8)
    ]
    write("t_web.csv.gz", verses)
    return tmp_path


def test_no_chapter_is_in_two_parts(bible):
    verses_by_part = verse_kinds(bible, 30, random.Random(1))
    assert {part: len(rows) for part, rows in verses_by_part.items()} == {"train": 108, "dev": 18, "test": 54}
    chapters = {part: {tuple(text.split()[:3]) for _, text in rows} for part, rows in verses_by_part.items()}
    assert chapters["train"].isdisjoint(chapters["dev"] | chapters["test"])
    assert chapters["dev"].isdisjoint(chapters["test"])
    for rows in verses_by_part.values():
        assert all(text.startswith(kind) and "note" not in text for kind, text in rows)
    with pytest.raises(InputError, match="fewer than 300 verses of the kind Law"):
        verse_kinds(bible, 300, random.Random(1))


def test_more_test_pairs_are_of_the_test_alone(wordnet, bible, tmp_path, monkeypatch):
    monkeypatch.setattr(made_benchmarks, "packaged_file", lambda package, path: bible)
    monkeypatch.setattr(made_benchmarks, "read_xml", lambda path: wordnet)
    monkeypatch.setattr(made_benchmarks, "gloss_kinds", lambda wordnet, number, rng: [])
    rows_by_part = {}
    for more in (0, 2):
        folder = tmp_path / f"more-{more}"
        folder.mkdir()
        made_benchmarks.write(folder, verses=30, pairs=4, more_test_pairs=more)
        for part in made_benchmarks.SHARES:
            lines = (folder / f"gloss-pairs.{part}.pairs.tsv").read_text(encoding="utf-8").splitlines()
            rows_by_part[part, more] = lines[1:]
    sizes = {key: len(rows) for key, rows in rows_by_part.items()}
    assert [sizes[part, 0] for part in ("train", "dev", "test")] == [7, 1, 4]
    assert [sizes[part, 2] for part in ("train", "dev", "test")] == [7, 1, 10]
    rows = [row for part in made_benchmarks.SHARES for row in rows_by_part[part, 2]]
    assert len(set(rows)) == 18
