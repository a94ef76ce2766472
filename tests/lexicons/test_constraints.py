import gzip

import pytest

from repline.errors import InputError
from repline.lexicons import constraints
from repline.lexicons.neighbour_lists import read_neighbours, wordnet_neighbours, write_neighbours
from repline.lexicons.ppdb import ppdb_pairs, read_ppdb
from repline.lexicons.word_lists import read_word_list
from repline.lexicons.wordnet import storage as wordnet_files
from tests.lexicons.small_wordnet import write_wndb

RULES = """[JJ] ||| happy ||| glad ||| PPDB2.0Score=4.5 AGigaSim=0.5 ||| 0-0 ||| Equivalence
[JJ] ||| glad ||| happy ||| PPDB2.0Score=4.5 AGigaSim=0.5 ||| 0-0 ||| Equivalence
[JJ] ||| happy ||| sad ||| PPDB2.0Score=2.5 AGigaSim=0.5 ||| 0-0 ||| Exclusion
[NP] ||| a cat ||| cat ||| PPDB2.0Score=2.0 ||| 0-0 ||| Equivalence
"""


@pytest.fixture
def small(tmp_path):
    return wordnet_files.read(write_wndb(tmp_path / "dict"))


def write(path, text):
    with gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


@pytest.mark.parametrize("name", ["pairs.txt", "pairs.txt.gz"])
def test_pairs_are_unordered_and_different(tmp_path, name):
    path = write(tmp_path / name, "Females males \nmales females\nup up\n\nhot cold\n")
    assert constraints.read_pairs(path) == [("females", "males"), ("hot", "cold")]


def test_pairs_of_one_language(tmp_path):
    path = write(tmp_path / "pairs.txt", "en_hot en_cold\nen_hot de_kalt\nde_heiß de_kalt\n")
    assert constraints.read_pairs(path, language="de") == [("heiß", "kalt")]
    with pytest.raises(InputError, match="expected pairs of words of fr, found none"):
        constraints.read_pairs(path, language="fr")
    with pytest.raises(InputError, match="line 1: expected words like en_word"):
        constraints.read_pairs(write(tmp_path / "plain.txt", "hot cold\n"), language="en")


@pytest.mark.parametrize("line", ["one", "one two three"])
def test_a_line_that_is_no_pair_is_named(tmp_path, line):
    with pytest.raises(InputError, match="line 2: expected two words"):
        constraints.read_pairs(write(tmp_path / "pairs.txt", f"hot cold\n{line}\n"))


def test_synonyms_and_antonyms_of_a_wordnet(small):
    synonyms = constraints.wordnet_synonyms(small)
    assert ("animal", "beast") in synonyms
    assert ("arid", "waterless") in synonyms
    assert len(synonyms) == 1 + 45 + 1
    assert constraints.wordnet_synonyms(small, ["v"]) == []
    assert constraints.wordnet_antonyms(small) == [("dry", "wet")]
    indirect = constraints.wordnet_antonyms(small, indirect=True)
    assert indirect == [("arid", "wet"), ("dry", "wet"), ("waterless", "wet")]
    assert constraints.without(synonyms, [("beast", "animal")]) == [pair for pair in synonyms if "animal" not in pair]


def test_constraints_are_written_and_read_by_source(tmp_path):
    path = tmp_path / "synonyms.parquet"
    constraints.write_constraints(path, {"one": [("a", "b")], "two": [("b", "a"), ("c", "d")]})
    assert constraints.read_constraints(path) == [("a", "b"), ("c", "d")]
    assert constraints.read_constraints(path, ["two"]) == [("b", "a"), ("c", "d")]
    with pytest.raises(InputError, match="no pairs of 'three'; there are one, two"):
        constraints.read_constraints(path, ["three"])
    with pytest.raises(InputError, match="no such file"):
        constraints.read_constraints(tmp_path / "absent")
    path.write_text("text")
    with pytest.raises(InputError, match="no table of pairs"):
        constraints.read_constraints(path)


def test_neighbour_lists_merge_lines_of_one_word(tmp_path):
    path = write(tmp_path / "lists.txt.gz", "source\nDog hound Canine dog\ndog hound wolf\n")
    assert read_neighbours(path) == {"source": [], "dog": ["hound", "canine", "wolf"]}
    write_neighbours(tmp_path / "out.txt", read_neighbours(path))
    assert read_neighbours(tmp_path / "out.txt") == read_neighbours(path)
    with pytest.raises(InputError, match="white space"):
        write_neighbours(tmp_path / "out.txt", {"a b": ["c"]})


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "empty file"), (b"a b\n\xff c\n", "line 2: expected UTF-8 text"), (b"a\0b c\n", "line 1.*NUL character")],
)
def test_malformed_neighbour_lists_are_named(tmp_path, content, message):
    (tmp_path / "lists.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_neighbours(tmp_path / "lists.txt")


def test_neighbours_of_a_wordnet(small):
    lists = wordnet_neighbours(small)
    assert lists["animal"] == ["beast"]
    assert "dry" not in lists
    lists = wordnet_neighbours(small, ("synonym", "hyponym", "similar_to"))
    assert {"beast", "dog", "canis_familiaris"} <= set(lists["animal"])
    assert lists["dry"] == ["arid", "waterless"]


def test_ppdb_rules_and_pairs(tmp_path):
    path = write(tmp_path / "ppdb.gz", RULES)
    rules = list(read_ppdb(path))
    assert (rules[0].phrase, rules[0].features["AGigaSim"], rules[2].entailment) == ("happy", 0.5, "Exclusion")
    assert ppdb_pairs(path) == [("happy", "glad"), ("happy", "sad")]
    assert ppdb_pairs(path, ["Exclusion"]) == [("happy", "sad")]
    assert ppdb_pairs(path, score="PPDB2.0Score", least=3) == [("happy", "glad")]
    with pytest.raises(InputError, match="no feature Score"):
        ppdb_pairs(path, score="Score")
    with pytest.raises(InputError, match="no entailment relation 'Synonym'"):
        ppdb_pairs(path, ["Synonym"])
    with pytest.raises(InputError, match="no pair of single words"):
        ppdb_pairs(path, ["Independent"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[JJ] ||| happy ||| glad", "line 1: expected 5 or 6 fields"),
        ("[JJ] ||| happy ||| glad ||| Score=x ||| 0-0", "line 1: expected name=number, found 'Score=x'"),
        ("[JJ] ||| happy ||| glad ||| Score=1 ||| 0-0 ||| Same", "line 1: expected one of Equivalence"),
    ],
)
def test_malformed_ppdb_is_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        list(read_ppdb(write(tmp_path / "ppdb", line + "\n")))


def test_word_lists_are_in_order_of_frequency(tmp_path):
    assert read_word_list(write(tmp_path / "a.txt", "the\nof\nthe\n")) == ["the", "of"]
    assert read_word_list(write(tmp_path / "b.txt", "of 3\nthe 9\na 3\n")) == ["the", "of", "a"]
    with pytest.raises(InputError, match="line 2: expected one word"):
        read_word_list(write(tmp_path / "c.txt", "the\nof course\n"))
    with pytest.raises(InputError, match="expected a word a line, found none"):
        read_word_list(write(tmp_path / "d.txt", "\n"))
