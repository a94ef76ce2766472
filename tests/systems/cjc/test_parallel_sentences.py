import numpy as np
import pytest

from repline.corpora.parallel.bitext import Bitext
from repline.errors import InputError
from repline.systems.cjc.aligned_fasttext import aligned, seed_words
from repline.systems.cjc.corpus import mutual_information
from repline.systems.cjc.parallel_sentences import Vocabulary, numbered, split
from repline.systems.cjc.settings import HeldOut

WORDS = [
    (["文件"], ["ファイル"]),
    (["打开"], ["開く"]),
    (["打开"], ["オープン"]),
    (["关闭"], ["閉じる"]),
    (["A"], ["A"]),
]
LONG = [([f"字{row}", "打开", "文件"], ["ファイル", "を", "開く", f"語{row}"]) for row in range(6)]


def held_out(sentences):
    return HeldOut(sentences=sentences, shortest=3, longest=10, seed=0)


def bitext(pairs):
    return Bitext(("zh", "ja"), ["own"] * len(pairs), [first for first, _ in pairs], [second for _, second in pairs])


def test_one_word_lines_are_the_test_and_never_train():
    parts = split(bitext(WORDS + LONG), held_out(2))
    assert parts.lexicon == [("关闭", "閉じる"), ("文件", "ファイル")]  # 打开 has two translations, A is no character
    assert parts.dictionary == [("打开", "オープン"), ("打开", "開く")]
    assert len(parts.training.first) == 4 and len(parts.held_out.first) == 2
    assert all(len(sentence) == 3 for sentence in parts.training.first + parts.held_out.first)
    assert not {str(sentence) for sentence in parts.training.first} & {
        str(sentence) for sentence in parts.held_out.first
    }


def test_too_few_sentences_are_refused_unless_fewer_will_do():
    with pytest.raises(InputError, match=r"expected 7 pairs of sentences of 3 to 10 words to hold out, found 6"):
        split(bitext(LONG), held_out(7))
    assert len(split(bitext(LONG), held_out(7), fewer=True).held_out.first) == 6


def test_rare_words_are_left_out_before_pairs_are():
    pairs = [(["a", "b", "a"], ["x", "y"]), (["c"], ["x"]), (["b"], ["x", "x"])]
    vocabulary = Vocabulary.of(bitext(pairs), 2)
    assert (vocabulary.first, vocabulary.second, vocabulary.counts.tolist()) == (["a", "b"], ["x"], [2, 2, 4])
    first, second = numbered(bitext(pairs), vocabulary)
    assert (first.ids.tolist(), first.offsets.tolist()) == ([0, 1, 0, 1], [0, 3, 4])
    assert (second.ids.tolist(), second.offsets.tolist()) == ([2, 2, 2], [0, 1, 3])
    with pytest.raises(InputError, match="no ja word occurs 5 times"):
        Vocabulary.of(bitext([(["a"] * 5, ["x"])]), 5)


def test_the_map_is_learned_from_no_word_of_the_test():
    vocabulary = Vocabulary(["国", "中国", "气", "A", "文件"], ["国", "中国", "気", "A", "ファイル"], np.ones(10, int))
    links = [("国", "国"), ("中", "中"), ("气", "気")]
    tested = [("中国", "中国")]
    dictionary = [("文件", "ファイル"), ("国", "中国")]

    def seeds(kind):
        return seed_words(kind, vocabulary, links, dictionary, tested).tolist()

    assert seeds("identical") == [[0, 0], [3, 3]]
    assert seeds("characters") == [[0, 0], [2, 2], [3, 3]]
    assert seeds("dictionary") == [[4, 4]]


def test_a_rotation_is_undone():
    rng = np.random.default_rng(0)
    first = rng.normal(size=(30, 5))
    rotation = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    rows = np.stack([np.arange(10), np.arange(10)], axis=1)
    both = aligned(first, first @ rotation, rows)
    np.testing.assert_allclose(both[:30], both[30:], atol=1e-5)
    with pytest.raises(InputError, match="no pair of words"):
        aligned(first, first, rows[:0])


def test_information_of_a_character_is_a_bit_at_most():
    pairs = [(["天气"], ["天気"]), (["好"], ["良い"])] * 4
    links = {("天", "天"), ("人", "人")}
    assert mutual_information(bitext(pairs), "天人", links) == {"天": pytest.approx(1), "人": 0}
    unrelated = [(["天"], ["天"]), (["天"], ["日"]), (["月"], ["天"]), (["月"], ["日"])]
    assert mutual_information(bitext(unrelated), "天", links)["天"] == pytest.approx(0, abs=1e-12)
