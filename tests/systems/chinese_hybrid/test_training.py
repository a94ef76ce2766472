"""The numbered corpus by hand, and what each model learns from two topics."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline import parameters
from repline.corpora.parquet import sentence_schema
from repline.errors import InputError
from repline.systems.chinese_hybrid.corpus import read_data, write_data
from repline.systems.chinese_hybrid.settings import Corpus, Recipe, load
from repline.systems.chinese_hybrid.subwords import subwords_of
from repline.systems.chinese_hybrid.training import drawn_sentences, train_vectors

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
    data = read_data(folder)
    return [[data.names[row] for row in data.words[start:end]] for start, end in pairwise(data.sentences)]


def test_the_corpus_by_hand(tagged, tmp_path):
    card = write_data(tmp_path / "out", Corpus(corpus=str(tagged), minimum_count=2, entities=["ns"]))
    assert text_of(tmp_path / "out") == [["我", "爱", "北京"], ["北京", "爱", "我"], ["我", "爱"]]
    counts = card["counts"]
    assert (counts["sentences"], counts["tokens"], counts["types"], counts["words"]) == (3, 9, 4, 3)
    data = read_data(tmp_path / "out")
    vocabulary = zip(data.names, data.counts.tolist(), data.entity.tolist(), strict=True)
    assert set(vocabulary) == {("我", 3, False), ("爱", 3, False), ("北京", 2, True)}


def test_a_share_of_the_sentences(tagged, tmp_path):
    table = pa.table({"tokens": [["我", "爱"]] * 1000})
    pq.write_table(table, tmp_path / "many.parquet")
    card = write_data(tmp_path / "out", Corpus(corpus="many.parquet", share=0.3), tmp_path)
    assert card["counts"]["sentences"] == len(text_of(tmp_path / "out")) == pytest.approx(300, abs=60)
    with pytest.raises(InputError, match="no word of Chinese characters occurs 9 times"):
        write_data(tmp_path / "none", Corpus(corpus=str(tagged), minimum_count=9))
    assert not (tmp_path / "none").exists()


def test_drawn_sentences_stay_whole():
    words, sentences = np.arange(4000, dtype=np.int32), np.arange(0, 4001, 4)
    drawn, offsets = drawn_sentences(words, sentences, 0.25, seed=1)
    assert len(offsets) - 1 == pytest.approx(250, abs=50) and offsets[-1] == len(drawn)
    assert all(
        (drawn[start:end] == np.arange(drawn[start], drawn[start] + 4)).all() for start, end in pairwise(offsets)
    )
    assert (drawn[offsets[:-1]] % 4 == 0).all()
    assert drawn_sentences(words, sentences, 1.0, seed=1)[0] is words


def test_long_sentences_are_cut(tmp_path):
    table = pa.table({"tokens": [["我"] * 2500]})
    pq.write_table(table, tmp_path / "long.parquet")
    write_data(tmp_path / "out", Corpus(corpus="long.parquet", minimum_count=1), tmp_path)
    assert np.diff(read_data(tmp_path / "out").sentences).tolist() == [1000, 1000, 500]


@pytest.fixture(scope="module")
def toy():
    """Two topics of five words each, which share no character; sentences stay within one."""
    words = [f"{first}{second}" for first, second in zip("甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉", strict=True)]
    random = np.random.default_rng(0)
    text = np.concatenate([random.integers(0, 5, size=8) + 5 * (number % 2) for number in range(400)]).astype(np.int32)
    return text, np.arange(0, len(text) + 1, 8), np.bincount(text), subwords_of(words, {})


def recipe(bags, passes=6, **changes):
    return Recipe(bags=bags, dimensions=16, passes=passes, sample=0.0, learning_rate=0.05, **changes)


def test_training_repeats_and_learns_the_topics(toy):
    cowe = recipe(["context_words", "own_characters"], consistency=True)
    first, again, other_seed = (train_vectors(*toy, cowe, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.inputs, again.inputs)
    assert not np.array_equal(first.inputs, other_seed.inputs)
    assert first.losses[-1] < first.losses[0]
    units = first.inputs[:10] / np.linalg.norm(first.inputs[:10], axis=1, keepdims=True)
    cosines = units @ units.T
    assert cosines[:5, :5].mean() > cosines[:5, 5:].mean() + 0.2


def test_several_threads_learn_too(toy):
    trained = train_vectors(*toy, recipe(["context_words"], threads=2))
    assert np.isfinite(trained.inputs).all()
    assert trained.losses[-1] < trained.losses[0]


def test_a_bag_without_members_is_left_out(toy):
    """No component is known, so COWE's five bags are those of COWE-p."""
    five = ["context_words", "context_characters", "context_components", "own_characters", "own_components"]
    three = ["context_words", "context_characters", "own_characters"]
    trained = [train_vectors(*toy, recipe(bags, passes=1, consistency=True)) for bags in (five, three)]
    np.testing.assert_array_equal(trained[0].inputs, trained[1].inputs)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pases": 3}, "unknown parameter 'chinese_hybrid.pases'; did you mean 'passes'?"),
        ({"models": {"mine": {"bags": ["words"]}}}, r"chinese_hybrid.models.mine.bags\[0\] should be"),
        ({"models": {"mine": {"bags": []}}}, "chinese_hybrid.models.mine.bags should have at least 1"),
        ({"models": {"tests": {"bags": ["context_words"]}}}, "tests is a reserved name"),
        ({"models": {"co-we": {"bags": ["context_words"]}}}, "a name should be a word like"),
        ({"components": {"place": "x", "step": 1}}, "did you mean 'steps'"),
    ],
)
def test_a_mistake_in_the_parameters(changes, message):
    values = parameters.read()
    values["chinese_hybrid"] |= changes
    with pytest.raises(InputError, match=message):
        load(values)


def test_a_model_takes_what_is_its_own():
    values = parameters.read()
    values["chinese_hybrid"]["models"] = {"mine": {"bags": ["context_words"], "passes": 7, "seeds": [5]}}
    settings = load(values)
    mine = settings.models["mine"]
    assert (mine.bags, mine.consistency, mine.passes, mine.window) == (["context_words"], False, 7, 5)
    assert settings.seeds_of("mine") == [5] != settings.seeds
