"""Readers of scored pairs, labelled sentences and word counts, and the corpus that is made of them."""

import gzip
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from wordfreq import word_frequency

from repline.cards import read_card, write_card
from repline.corpora.labelled.labelled_sentences import read_labelled
from repline.corpora.sentence_pairs.scored_pairs import read_pairs, read_stories
from repline.errors import InputError
from repline.evaluation.sentence_similarity import file_correlations, means_by_test, pair_files
from repline.evaluation.sentences.task_files import read_tasks
from repline.lexicons.unigrams import read_unigrams
from repline.lexicons.word_lists import read_word_list
from repline.reading.wrong_records import LeftOut
from repline.systems.usif.corpus import prepare
from repline.systems.usif.similarity_words import similarity_words


@pytest.fixture
def folder(tmp_path):
    def write(**files):
        paths = []
        for name, text in files.items():
            path = tmp_path / name.replace("__", ".").replace("_dash_", "-")
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            paths.append(path)
        return paths

    return write


def raw(folder, **files):
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    names = [{"name": name.replace("__", "."), "sha256": "00" * 32, "bytes": 1} for name in files]
    (folder / "card.json").write_text(json.dumps({"name": folder.name, "licence": "CC0", "files": names}))
    return folder


def test_words_are_those_of_the_papers_program():
    split = similarity_words("It's a well-known \"fact\" -- isn't it, U.S.A.? (1,000)")
    assert split == ["it", "s", "a", "well", "known", "fact", "is", "not", "it", "u.s.a", "1,000"]
    assert similarity_words("?! ... --") == []
    assert similarity_words("Кошка бежит , быстро .") == ["кошка", "бежит", "быстро"]  # any script has letters
    assert similarity_words("à l'été") == ["à", "l'été"]


def test_semeval(folder):
    table = read_pairs(
        folder(sts15__a__input__txt="A b\tC d\nE\tF\nG\tH\textra\n", sts15__a__gs__txt="1.5\n\n3\n"), str.split
    )
    assert table["score"].to_pylist() == [1.5, 3.0]  # nobody rated the second pair
    assert table["tokens_b"].to_pylist() == [["C", "d"], ["H"]]
    assert (table["test"][0].as_py(), table["file"][0].as_py()) == ("sts15", "a")
    assert table["pair_id"].to_pylist() == [0, 1]


def test_a_year_of_ones_own_is_read_and_averaged_like_the_others(folder):
    """STS 2016 has two more fields a line, where the sentences are from."""
    names = ("answer_dash_answer", "headlines")
    lines = {f"sts16__{name}__input__txt": "A b\tC d\tX\tY\nE\tF\tX\tY\nG\tH\tX\tY\n" for name in names}
    table = read_pairs(folder(**lines, **{f"sts16__{name}__gs__txt": "1\n\n3\n" for name in names}), str.split)
    files = pair_files(table)
    assert [(pairs.test, pairs.file, pairs.second) for pairs in files] == [
        ("sts16", file, [["C", "d"], ["H"]]) for file in ("answer-answer", "headlines")
    ]
    correlations = file_correlations(
        files, lambda pairs: np.array([0.1, 0.9]) * (1 if pairs.file == "headlines" else -1)
    )
    assert means_by_test(correlations) == {"sts16": pytest.approx(0)}


def test_benchmark_sick_and_own_tables(folder):
    files = folder(
        stsb__dev__csv='main\tMSRvid\t2012\t1\t2.500\tA "girl\tA boy\t\n',
        sick__test__txt="pair_ID\tA\tB\tr\te\n6\tNo boy\tA group\t3.3\tNEUTRAL\n",
        mine__pairs__tsv="a\tb\t4\n\nc\td\t-1\n",
    )
    table = read_pairs(files, str.split)
    assert table.select(["test", "file", "score", "label"]).to_pylist() == [
        {"test": "mine", "file": "pairs", "score": 4, "label": None},
        {"test": "mine", "file": "pairs", "score": -1, "label": None},
        {"test": "sick", "file": "test", "score": 3.3, "label": "NEUTRAL"},
        {"test": "stsb", "file": "dev", "score": 2.5, "label": None},
    ]
    assert table["tokens_a"][3].as_py() == ["A", '"girl']


def test_stories(folder):
    files = folder(
        **{"lee__cor": "A \xa31\nB\n\nC\n".encode("cp1252"), "similarities0_dash_1__txt": "1 .2 .3\n0 1 .4\n0 0 1\n"}
    )
    table = read_pairs(files, str.split)
    assert table["score"].to_pylist() == [0.2, 0.3, 0.4]
    assert table["tokens_a"].to_pylist() == [["A", "£1"], ["A", "£1"], ["B"]]
    assert read_stories(files[0]) == ["A £1", "B", "C"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"sts12__a__input__txt": "a\tb\n"}, "expected its scores sts12.a.gs.txt in the same folder"),
        ({"sts12__a__input__txt": "a\tb\n", "sts12__a__gs__txt": "1\n2\n"}, "input.txt: expected as many lines as "),
        ({"sts12__a__input__txt": "a b\n", "sts12__a__gs__txt": "1\n"}, "line 1: expected 2 fields separated by tabs"),
        ({"sts12__a__input__txt": "a\tb\n", "sts12__a__gs__txt": "nan\n"}, "line 1: expected a score, found 'nan'"),
        ({"sick__test__txt": "pair_ID\tA\tB\tr\te\n1\ta\tb\t3\tMAYBE\n"}, "line 2: expected one of "),
        ({"lee__cor": "a\nb\n", "similarities0_dash_1__txt": "1 0\n"}, "expected 2 x 2 numbers"),
        ({"stsb__dev__csv": b"\xff\n"}, "line 1: expected UTF-8 text"),
    ],
)
def test_a_broken_file_is_named(folder, files, message):
    with pytest.raises(InputError) as caught:
        read_pairs(folder(**files), str.split)
    assert message in str(caught.value)


def test_labelled_sentences(folder):
    files = folder(
        stsa__binary__train="1 a good one\n",
        stsa__binary__dev="0 bad\n",
        stsa__binary__test="1 good\n",
        mine__train__tsv="x\ta b\n",
        mine__dev__tsv="y\tc\n",
        mine__test__tsv="x\td\n",
    )
    table = read_labelled(files, str.split)
    assert list(dict.fromkeys(table["task"].to_pylist())) == ["mine", "sst"]
    assert table["label"].to_pylist() == ["x", "y", "x", "1", "0", "1"]
    assert table["tokens"][3].as_py() == ["a", "good", "one"]


def test_phrases_take_the_place_of_training_sentences(folder):
    files = folder(stsa__binary__train="1 whole\n", stsa__binary__dev="0 bad\n", stsa__binary__test="1 good\n")
    files += folder(**{"sst2_dash_phrases_dash_train__tsv": "a part\t0\n"})
    rows = [row for row in read_labelled(files, str.split).to_pylist() if row["split"] == "train"]
    assert rows == [{"task": "sst", "split": "train", "tokens": ["a", "part"], "label": "0"}]


def test_reviews_are_split_by_their_place(folder):
    lines = "".join(f"__label__{label} s{number}\n" for label in ("neg", "pos") for number in range(20))
    table = read_labelled(folder(pang_lee_polarity__cor=lines), str.split)
    splits = [row["split"] for row in table.to_pylist()]
    assert (splits.count("train"), splits.count("dev"), splits.count("test")) == (28, 4, 8)


def test_a_table_without_parts_is_passed_over_with_a_note(folder):
    left_out = LeftOut()
    assert not read_labelled(folder(mine__tsv="x\ta\ny\tb\n"), str.split, on_error=left_out).num_rows
    assert left_out.notes() == ["passed over: 1 tables without parts"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"mine__train__tsv": "x\ta\n", "mine__dev__tsv": "x\ta\n"},
            "there is no mine.test.tsv next to mine.train.tsv",
        ),
        ({"stsa__binary__dev": "1\n"}, "line 1: expected a label and a sentence"),
        ({"pang_lee_polarity__cor": "no label\n"}, "expected __label__ and a class"),
    ],
)
def test_broken_labels_are_named(folder, files, message):
    with pytest.raises(InputError) as caught:
        read_labelled(folder(**files), str.split)
    assert message in str(caught.value)


def test_counts(folder, tmp_path):
    (path,) = folder(counts__txt="the 30\na b 2\nthe 1\n")
    assert read_unigrams(path).to_pylist() == [{"word": "the", "count": 31}, {"word": "a b", "count": 2}]
    for text in ("the   30\na b 2\nthe 1\n", "the\t30\na b \t2\nthe\t1 \n"):
        path.write_text(text)
        assert read_unigrams(path).to_pylist() == [{"word": "the", "count": 31}, {"word": "a b", "count": 2}]
        assert read_word_list(path) == ["the", "a b"]
    packed = tmp_path / "counts.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_unigrams(packed).equals(read_unigrams(path))
    for text in ("the\n", "the 0\n", "the x\n", "the\t50\t3\n", ""):
        path.write_text(text)
        with pytest.raises(InputError, match=r"expected (a word and its count|words with their counts)"):
            read_unigrams(path)


def test_frequencies_are_those_of_wordfreq(tmp_path):
    from importlib.resources import files

    table = read_unigrams(files("wordfreq") / "data/large_en.msgpack.gz")
    count_by_word = dict(zip(table["word"].to_pylist(), table["count"].to_pylist(), strict=True))
    assert len(count_by_word) > 300_000
    for word in ("the", "sentence", "zebra"):
        assert count_by_word[word] == pytest.approx(word_frequency(word, "en", wordlist="large"), rel=0.03)
    broken = tmp_path / "x.msgpack.gz"
    broken.write_bytes(b"no")
    with pytest.raises(InputError, match="no frequency list of wordfreq"):
        read_unigrams(broken)


def test_the_corpus_is_whole_and_the_same_twice(tmp_path):
    pairs = raw(
        tmp_path / "pairs", stsb__train__csv="g\tf\ty\t1\t2.0\tA\tB c\n", stsb__test__csv="g\tf\ty\t1\t5.0\tD\tE\n"
    )
    labelled = raw(tmp_path / "labelled", m__train__tsv="x\ta\n", m__dev__tsv="x\ta\n", m__test__tsv="y\tb\n")
    unigrams = raw(tmp_path / "unigrams", c__txt="a 3\n")
    folders = {"pairs": pairs, "labelled": labelled, "unigrams": unigrams}
    counts = prepare(tmp_path / "out", str.split, **folders)["counts"]
    assert (counts["pairs"], counts["labelled"], counts["unigrams"], counts["reference"]) == (2, 3, 1, 2)
    assert counts["pairs_stsb_test"] == 1
    assert pq.read_table(tmp_path / "out/reference.parquet")["tokens"].to_pylist() == [["A"], ["B", "c"]]
    assert read_card(tmp_path / "out")["licence"] == "CC0"
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    prepare(tmp_path / "out", str.split, **folders)
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    with pytest.raises(InputError, match="expected scored pairs, as "):
        prepare(tmp_path / "out", str.split, pairs=labelled, labelled=labelled, unigrams=unigrams)
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}


def test_own_tables_need_no_card_and_may_have_the_projects(tmp_path):
    labelled = raw(tmp_path / "labelled", m__train__tsv="x\ta\n", m__dev__tsv="x\ta\n", m__test__tsv="y\tb\n")
    unigrams = raw(tmp_path / "unigrams", c__txt="a 3\n")
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.pairs.tsv").write_text("A b\tA c\t1.5\nD\tE\t3\n")
    card = prepare(tmp_path / "out", str.split, pairs=own, labelled=labelled, unigrams=unigrams)
    assert card["counts"]["pairs_mine_pairs"] == 2
    assert card["licence"] == "not stated; CC0" and card["sources"][0]["name"] == "mine.pairs.tsv"
    write_card(own, name="own", description="Pairs", licence="CC BY", sources=[], parameters={}, counts={})
    card = prepare(tmp_path / "out", str.split, pairs=own, labelled=labelled, unigrams=unigrams)
    assert (card["licence"], card["counts"]["pairs"]) == ("CC BY; CC0", 2)
    card = prepare(tmp_path / "out", str.split, pairs=own / "mine.pairs.tsv", labelled=labelled, unigrams=unigrams)
    assert card["counts"]["pairs"] == 2
    with pytest.raises(InputError, match=r"absent: there is no file, and no folder with files"):
        prepare(tmp_path / "out", str.split, pairs=tmp_path / "absent", labelled=labelled, unigrams=unigrams)


def test_files_of_semeval_keep_their_names(tmp_path):
    year = tmp_path / "sts-en-test-gs-2014"
    year.mkdir()
    (year / "STS.input.deft-news.txt.gz").write_bytes(gzip.compress(b"A b\tC d\nE\tF\n"))
    (year / "STS.gs.deft-news.txt").write_text("1.5\n3\n")
    (year / "STS2016.input.headlines.txt").write_text("A\tB\tX\tY\n")
    (year / "STS2016.gs.headlines.txt").write_text("2\n")
    table = read_pairs(sorted(year.iterdir()), str.split)
    names = list(zip(table["test"].to_pylist(), table["file"].to_pylist(), table["score"].to_pylist(), strict=True))
    assert names == [("sts14", "deft-news", 1.5), ("sts14", "deft-news", 3.0), ("sts16", "headlines", 2.0)]
    assert [(task.name, list(task.parts)) for task in read_tasks([year])] == [
        ("STS14", ["deft-news"]),
        ("STS16", ["headlines"]),
    ]
    (year / "STS.gs.deft-news.txt").unlink()
    with pytest.raises(InputError, match=r"expected its scores STS\.gs\.deft-news\.txt in the same folder"):
        read_pairs(sorted(year.iterdir()), str.split)
