from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.parquet import sentence_schema
from repline.errors import InputError
from repline.parameters import load
from repline.systems.chinese_hybrid import corpus
from repline.systems.chinese_hybrid.model import Model
from repline.systems.chinese_hybrid.settings import Settings, read
from repline.systems.chinese_hybrid.subwords import subwords_of
from repline.systems.chinese_hybrid.training import train

SENTENCES = [
    (["我", "爱", "北京", "。"], ["r", "v", "ns", "w"]),
    (["北京", "2008", "爱", "我"], ["ns", "m", "v", "r"]),
    (["ABC"], ["x"]),
    (["我", "稀", "爱"], ["r", "a", "v"]),
]


@pytest.fixture
def tagged(tmp_path):
    rows = {
        "doc_id": ["a"] * len(SENTENCES),
        "sentence_id": list(range(len(SENTENCES))),
        "tokens": [words for words, _ in SENTENCES],
        "tag": [tags for _, tags in SENTENCES],
    }
    folder = tmp_path / "tagged"
    folder.mkdir()
    pq.write_table(pa.table(rows, sentence_schema(["tag"])), folder / "part-00000.parquet")
    return folder


def text_of(folder):
    words, offsets, vocabulary = corpus.read(folder)
    names = vocabulary["word"].to_pylist()
    return [[names[row] for row in words[start:end]] for start, end in pairwise(offsets)]


def test_the_corpus_by_hand(tagged, tmp_path):
    card = corpus.write(tagged, tmp_path / "out", minimum_count=2, entities=["ns"])
    assert text_of(tmp_path / "out") == [["我", "爱", "北京"], ["北京", "爱", "我"], ["我", "爱"]]
    counts = card["counts"]
    assert (counts["sentences"], counts["tokens"], counts["types"], counts["words"]) == (3, 9, 4, 3)
    vocabulary = corpus.read(tmp_path / "out")[2].to_pylist()
    assert {row["word"]: (row["count"], row["entity"]) for row in vocabulary} == {
        "我": (3, False),
        "爱": (3, False),
        "北京": (2, True),
    }


def test_a_share_of_the_sentences(tagged, tmp_path):
    table = pa.table({"tokens": [["我", "爱"]] * 1000})
    pq.write_table(table, tmp_path / "many.parquet")
    card = corpus.write(tmp_path / "many.parquet", tmp_path / "out", share=0.3)
    assert card["counts"]["sentences"] == len(text_of(tmp_path / "out")) == pytest.approx(300, abs=60)
    with pytest.raises(InputError, match="no word of Chinese characters occurs 9 times"):
        corpus.write(tagged, tmp_path / "none", minimum_count=9)
    assert not (tmp_path / "none").exists()


def test_long_sentences_are_cut(tmp_path):
    table = pa.table({"tokens": [["我"] * 2500]})
    pq.write_table(table, tmp_path / "long.parquet")
    corpus.write(tmp_path / "long.parquet", tmp_path / "out", minimum_count=1)
    assert np.diff(corpus.read(tmp_path / "out")[1]).tolist() == [1000, 1000, 500]


@pytest.fixture(scope="module")
def toy():
    """Two topics of five words each, which share no character; sentences stay within one."""
    words = [f"{first}{second}" for first, second in zip("甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉", strict=True)]
    random = np.random.default_rng(0)
    text = np.concatenate([random.integers(0, 5, size=8) + 5 * (number % 2) for number in range(400)]).astype(np.int32)
    return text, np.arange(0, len(text) + 1, 8), np.bincount(text), subwords_of(words, {})


def settings(**changes):
    return {"dimensions": 16, "passes": 6, "sample": 0.0, "learning_rate": 0.05} | changes


def test_training_repeats_and_learns_the_topics(toy):
    model = Model(bags=["context_words", "own_characters"], consistency=True)
    first, again, other = (train(*toy, model, seed=seed, **settings()) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.inputs, again.inputs)
    assert not np.array_equal(first.inputs, other.inputs)
    assert first.losses[-1] < first.losses[0]
    units = first.inputs[:10] / np.linalg.norm(first.inputs[:10], axis=1, keepdims=True)
    cosines = units @ units.T
    assert cosines[:5, :5].mean() > cosines[:5, 5:].mean() + 0.2


def test_several_threads_learn_too(toy):
    model = Model(bags=["context_words"])
    found = train(*toy, model, threads=2, **settings())
    assert np.isfinite(found.inputs).all()
    assert found.losses[-1] < found.losses[0]


def test_a_bag_without_members_is_left_out(toy):
    """No component is known, so COWE's five bags are those of COWE-p."""
    five = ["context_words", "context_characters", "context_components", "own_characters", "own_components"]
    three = ["context_words", "context_characters", "own_characters"]
    found = [train(*toy, Model(bags=bags, consistency=True), **settings(passes=1)) for bags in (five, three)]
    np.testing.assert_array_equal(found[0].inputs, found[1].inputs)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pases": 3}, "unknown parameter 'chinese_hybrid.pases'; did you mean 'passes'?"),
        ({"models": {"mine": {"bags": ["words"]}}}, r"chinese_hybrid.models.mine.bags\[0\] should be"),
        ({"models": {"mine": {"bags": []}}}, "chinese_hybrid.models.mine.bags should have at least 1"),
        ({"models": {"tests": {"bags": ["context_words"]}}}, "a name should be a word like cowe_nc"),
        ({"components": {"place": "x", "step": 1}}, "did you mean 'steps'"),
    ],
)
def test_a_mistake_in_the_parameters(changes, message):
    from repline.parameters import read as read_parameters

    values = read_parameters()
    values["chinese_hybrid"] |= changes
    with pytest.raises(InputError, match=message):
        read(values)


def test_a_model_takes_what_is_its_own():
    from repline.parameters import read as read_parameters

    values = read_parameters()
    values["chinese_hybrid"]["models"] = {"mine": {"bags": ["context_words"], "passes": 7, "seeds": [5]}}
    (mine,) = read(values)[1].values()
    assert (mine.bags, mine.consistency, mine.seeds) == (["context_words"], False, [5])
    assert load(Settings, "chinese_hybrid", values).seeds != [5]
