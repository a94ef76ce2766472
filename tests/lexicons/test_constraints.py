import gzip

import pytest

from repline.errors import InputError
from repline.lexicons import constraints
from repline.lexicons.bilingual_dictionary import read_dictionary
from repline.lexicons.neighbour_lists import read_neighbours
from repline.lexicons.word_lists import read_word_list
from repline.lexicons.wordnet import storage as wordnet_files
from repline.reading.wrong_records import LeftOut
from tests.lexicons.small_wordnet import write_wndb


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


@pytest.mark.parametrize("head", ["word synonym", "antonym\tword", "Word2 Word1"])
def test_a_head_of_pairs_has_any_order(tmp_path, head):
    assert constraints.read_pairs(write(tmp_path / "pairs.txt", f"{head}\nhot cold\n")) == [("hot", "cold")]


def test_pairs_of_one_language(tmp_path):
    path = write(tmp_path / "pairs.txt", "en_hot en_cold\nen_hot de_kalt\nde_heiß de_kalt\n")
    assert constraints.read_pairs(path, language="de") == [("heiß", "kalt")]
    with pytest.raises(InputError, match="expected pairs of words of fr, found none"):
        constraints.read_pairs(path, language="fr")
    with pytest.raises(InputError, match="line 1: expected words like en_word"):
        constraints.read_pairs(write(tmp_path / "plain.txt", "hot cold\n"), language="en")


def test_capitals_of_a_language_become_its_small_letters(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text("tr_Işık tr_İyi\n", encoding="utf-8")
    assert constraints.read_pairs(path, language="tr") == [("ışık", "iyi")]


def test_words_that_all_stand_in_quotation_marks_are_refused(tmp_path):
    for read in (constraints.read_pairs, read_dictionary):
        with pytest.raises(InputError, match="every word stands in quotation marks; write the table without them"):
            read(write(tmp_path / "pairs.tsv", '"hot"\t"cold"\n'))


@pytest.mark.parametrize("line", ["one", "one two three"])
def test_a_line_that_is_no_pair_is_named(tmp_path, line):
    with pytest.raises(InputError, match="line 2: expected two words"):
        constraints.read_pairs(write(tmp_path / "pairs.txt", f"hot cold\n{line}\n"))


def test_lists_pair_their_first_word_with_each_of_the_others(tmp_path):
    path = write(tmp_path / "lists.txt", "hot\tcold\tcool\nCold\thot\twarm\n")
    assert constraints.read_pairs(path, form="lists") == [("hot", "cold"), ("hot", "cool"), ("cold", "warm")]
    with pytest.raises(InputError, match="line 1: expected a word and others, found 1: 'hot'"):
        constraints.read_pairs(write(tmp_path / "single.txt", "hot\n"), form="lists")


def test_synonyms_and_antonyms_of_a_wordnet(small):
    synonyms = constraints.wordnet_synonyms(small)
    assert ("animal", "beast") in synonyms
    assert ("arid", "waterless") in synonyms
    assert len(synonyms) == 1 + 45 + 1
    assert constraints.wordnet_synonyms(small, ["v"]) == []
    assert constraints.wordnet_antonyms(small) == [("dry", "wet")]
    indirect = constraints.wordnet_antonyms(small, indirect=True)
    assert indirect == [("arid", "wet"), ("dry", "wet"), ("waterless", "wet")]


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
    left_out = LeftOut()
    assert read_neighbours(path, on_error=left_out) == {"source": [], "dog": ["hound", "canine", "wolf"]}
    expected = "merged: 1 words in several spellings, which differ in capitals alone; lists are read in lower case"
    assert left_out.notes() == [expected]
    left_out.clear()
    assert read_neighbours(path, lower=False, on_error=left_out)["Dog"] == ["hound", "Canine", "dog"]
    assert left_out.notes() == []


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "empty file"), (b"a b\n\xff c\n", "line 2: expected UTF-8 text"), (b"a\0b c\n", "line 1.*NUL character")],
)
def test_malformed_neighbour_lists_are_named(tmp_path, content, message):
    (tmp_path / "lists.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_neighbours(tmp_path / "lists.txt")


@pytest.mark.parametrize("line", ["happy, glad merry", "happy; glad; merry", "happy,glad,merry"])
def test_commas_between_words_are_refused_or_left_out(tmp_path, line):
    path = write(tmp_path / "lists.txt", f"sad unhappy\n{line}\n1,000 thousand\n")
    with pytest.raises(InputError, match="line 2: expected blanks between words, found 'happy"):
        read_neighbours(path)
    left_out = LeftOut("salvage")
    assert read_neighbours(path, on_error=left_out) == {"sad": ["unhappy"], "1,000": ["thousand"]}
    assert left_out.reasons == {"commas or semicolons between words": 1}


@pytest.mark.parametrize("line", ["happy,", "happy,glad,merry"])
def test_words_of_a_list_have_no_commas(tmp_path, line):
    with pytest.raises(InputError, match="line 2: expected blanks between words, found 'happy,"):
        read_word_list(write(tmp_path / "words.txt", f"sad\n{line}\n"))


def test_word_lists_are_in_order_of_frequency(tmp_path):
    assert read_word_list(write(tmp_path / "a.txt", "the\nof\nthe\n")) == ["the", "of"]
    assert read_word_list(write(tmp_path / "b.txt", "of 3\nthe 9\na 3\n")) == ["the", "of", "a"]
    with pytest.raises(InputError, match="line 2: expected one word"):
        read_word_list(write(tmp_path / "c.txt", "the\nof course\n"))
    with pytest.raises(InputError, match="expected a word a line, found none"):
        read_word_list(write(tmp_path / "d.txt", "\n"))
