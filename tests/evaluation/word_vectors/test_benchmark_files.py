from collections import Counter

import pytest
from gensim.test.utils import datapath

from repline.errors import InputError
from repline.evaluation.word_vectors import benchmark_files as files
from repline.evaluation.word_vectors.own_tests import read_own


@pytest.fixture
def write(tmp_path):
    def write(text, name="test.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_the_packaged_files():
    pairs, scores = files.read_pairs(datapath("simlex999.txt"))
    assert (len(pairs), pairs[0], scores[0]) == (999, ("old", "new"), 1.58)
    assert len(files.read_pairs(datapath("wordsim353.tsv"))[0]) == 353
    questions, sections = files.read_analogies(datapath("questions-words.txt"))
    assert (len(questions), len(set(sections))) == (19544, 14)
    assert questions[0] == ("Athens", "Greece", "Baghdad", "Iraq")
    assert Counter(sections)["gram9-plural-verbs"] == 870


def test_pairs_in_columns(write):
    assert files.read_pairs(write("Word1\tWord2\tScore\ntwo words\tb\t1.5\r\n\nc\td\t2\tmore\n")) == (
        [("two words", "b"), ("c", "d")],
        [1.5, 2],
    )
    assert files.read_pairs(write("a  b 1\nc d 2\n"))[0] == [("a", "b"), ("c", "d")]
    assert files.read_pairs(write('"a" "b" 1\n"c" "d" 2\n'))[0] == [("a", "b"), ("c", "d")]
    assert files.read_pairs(write('"a" "b" 1\n"c" d 2\n'))[0] == [('"a"', '"b"'), ('"c"', "d")]


def test_pairs_of_a_csv(write):
    path = write('\ufeff,similarity,word1,word2,relation\n0,6.5,take,remove,x\n1,1,walk,"a, b",y\n2,,,,\n', "a.csv")
    assert files.read_pairs(path) == ([("take", "remove"), ("walk", "a, b")], [6.5, 1])
    men = write(",word1,word2,similarity\n0,sun-n,shine-v,50\n", "men.csv")
    assert files.read_pairs(men)[0] == [("sun", "shine")]
    mixed = write(",word1,word2,similarity\n0,x-y,shine,50\n", "mixed.csv")
    assert files.read_pairs(mixed)[0] == [("x-y", "shine")]


def test_analogies_relations_and_categories(write):
    text = ",type,word1,word2,word3,target\n0,1a, solar system ,atom,sun,nucleus\n1,1a,p,q,sun,nucleus\n2,1a,p,q,r,s\n"
    path = write(text, "a.csv")
    questions, sections = files.read_analogies(path)
    assert (questions[0], sections) == (("solar system", "atom", "sun", "nucleus"), ["1a"] * 3)
    relation = files.read_relations(path)["1a"]
    assert relation.prototypes == [("solar system", "atom"), ("p", "q")]
    assert (relation.pairs, relation.scores) == ([("sun", "nucleus"), ("r", "s")], [2, 1])
    categories = write(",category,word\n0,fruit,apple\n1,fruit,\n2,tree,oak\n", "c.csv")
    assert files.read_categories(categories) == (["apple", "oak"], ["fruit", "tree"])


def test_synonyms_and_outliers(write):
    assert files.read_synonyms(write("word\tsynonym\tother\n\na b\tc\td\te\n")) == [
        ("word", "synonym", "other"),
        ("a b", "c", "d", "e"),
    ]
    path = write("cat\r\ndog\r\n\r\ncar\r\ntree\r\n")
    assert files.read_outliers(path, path) == [(["cat", "dog"], ["car", "tree"])] * 2
    several = write("cat\ndog\n\n\ncar\n\noak\nelm\n\npan\ncup\n", "b.txt")
    assert files.read_outliers(several) == [(["cat", "dog"], ["car"]), (["oak", "elm"], ["pan", "cup"])]


@pytest.mark.parametrize(
    ("reader", "name", "text", "message"),
    [
        ("read_pairs", "a.txt", "a b 1\na b\n", "line 2: expected two words and a score"),
        ("read_pairs", "a.txt", "a b 1\nc d x\n", "line 2: expected a number as the score, found 'x'"),
        ("read_pairs", "a.txt", "# nothing\n", "expected at least one pair of words, found none"),
        ("read_pairs", "a.csv", "word1,word2\na,b\n", "expected a column 'similarity', found 'word1, word2'"),
        ("read_pairs", "a.csv", "word1,word2,similarity\na,b\n", "line 2: expected 3 fields, found 2"),
        ("read_pairs", "a.csv", "word1,word2,similarity\na,,1\n", "line 2: word2 is empty"),
        ("read_pairs", "a.csv", "", "found an empty file"),
        ("read_pairs", "a.txt", b"a b \xff\n", "line 1: expected UTF-8 text, found the byte 0xff as byte 5"),
        ("read_analogies", "a.txt", ": s\na b c\n", "line 2: expected four words, found 'a b c'"),
        ("read_analogies", "a.txt", "a b c d\n", "line 1: expected a section"),
        ("read_analogies", "a.txt", ": s\n", "expected at least one question"),
        ("read_categories", "a.csv", ",category,word\n0,,apple\n", "line 2: category is empty"),
        ("read_relations", "a.csv", "type,word1,word2,word3,target\n", "expected at least one question"),
        ("read_synonyms", "a.txt", "a\tb\n", "line 1: expected a word, its synonym"),
        ("read_outliers", "a.txt", "a\nb\n", "an empty line, and outliers"),
        ("read_outliers", "a.txt", "a\n\nb\n", "an empty line, and outliers"),
        ("read_outliers", "a.txt", "\n", "an empty line, and outliers"),
    ],
)
def test_mistakes_are_named(write, reader, name, text, message):
    path = write(text, name)
    with pytest.raises(InputError) as caught:
        getattr(files, reader)(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        files.read_pairs(tmp_path / "none.txt")


@pytest.mark.parametrize("score", ["nan", "-inf", "NaN", "Infinity"])
def test_no_number_in_the_first_line_is_no_head(tmp_path, score):
    (tmp_path / "a.txt").write_text(f"dog cat {score}\ncar bus 2\n", encoding="utf-8")
    for read in (files.read_pairs, read_own):
        with pytest.raises(InputError, match=r"a\.txt, line 1: expected a number as the score"):
            read(tmp_path / "a.txt")
