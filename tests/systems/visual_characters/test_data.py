"""The data of the tasks: glosses, labels, pairs, buckets, and mistakes in them."""

import zipfile

import numpy as np
import pytest

from repline.corpora.chunks.tag_spans import spans
from repline.errors import InputError
from repline.lexicons.hanzi.cc_cedict import Entry
from repline.systems.visual_characters.corpus import split_tagged
from repline.systems.visual_characters.glosses.dictionary_task import gloss_task, gloss_words
from repline.systems.visual_characters.settings import SentencePairs, TaggedCorpus, Words
from repline.systems.visual_characters.tagging.tagged_text import (
    MostFrequentLabel,
    f1,
    labels,
    read_tagged,
    span_counts,
)
from repline.systems.visual_characters.translation.translation_pairs import (
    Pair,
    frequency_buckets,
    read_pairs,
    split_pairs,
    target_ids,
    target_vocabulary,
)


def test_gloss_words():
    glosses = gloss_words(["to eat (a meal [at home])", "CL:個|个[ge4]", "variant of 喫[chi1]", "Meal; to eat"])
    assert glosses == ["eat", "meal"]


def dictionary():
    characters = [chr(0x4E00 + number) for number in range(40)]
    rng = np.random.default_rng(0)
    words = {"".join(characters[row] for row in rng.integers(40, size=2)) for _ in range(600)}
    words = sorted(words)
    return [Entry(word, word, "", (f"thing{chr(97 + ord(word[0]) % 7)}",)) for word in words] + [
        Entry("A咖", "A咖", "", ("top",))
    ]


def test_held_out_characters_stand_in_no_training_word():
    choice = Words(held_out=0.2, held_out_counts=[1, 1000], dev=30, test=30, seed=1)
    task = gloss_task(dictionary(), choice)
    assert len(task.held_out) == 8 and len(task.glosses) == 7
    for name, part in task.splits.items():
        assert all(set(word).isdisjoint(task.held_out) == (name != "unseen") for word in part.words)
    words = [word for part in task.splits.values() for word in part.words]
    assert len(words) == len(set(words)) == len(dictionary()) - 1  # without the one with a Latin letter
    assert gloss_task(dictionary(), choice).splits == task.splits
    with pytest.raises(InputError, match="too few for 300 to choose by"):
        gloss_task(dictionary(), choice.model_copy(update={"dev": 300, "test": 300}))
    with pytest.raises(InputError, match=r"minimum count, [1-9]\d* of them without held-out characters: too few"):
        gloss_task(dictionary(), choice.model_copy(update={"dev": 300, "test": 300}))
    rare = choice.model_copy(update={"minimum_count": 10_000, "held_out": 0.0})
    with pytest.raises(InputError, match=r"of [1-9]\d* words .* 0 have a gloss that 10000 words have, .*: too few"):
        gloss_task(dictionary(), rare)


def test_labels_and_spans_are_each_others_inverse():
    sentence = [("国家", "n"), ("是", "v"), ("人民", "n"), ("的", "u")]
    assert labels(sentence) == ["B-n", "I-n", "B-v", "B-n", "I-n", "B-u"]
    assert spans(labels(sentence)) == [("n", 0, 2), ("v", 2, 3), ("n", 3, 5), ("u", 5, 6)]


def test_an_inside_of_another_tag_begins_a_word():
    assert spans(["B-N", "I-N", "B-V"]) == [("N", 0, 2), ("V", 2, 3)]
    assert spans(["I-N", "I-V", "I-V", "B-V"]) == [("N", 0, 1), ("V", 1, 3), ("V", 3, 4)]
    assert spans([]) == []


def test_counts_of_spans_and_the_baseline():
    gold, predicted = [("n", 0, 2), ("v", 2, 3)], [("v", 0, 2), ("v", 2, 3)]
    assert span_counts(gold, predicted) == (2, 2, 1, 2, 1)
    assert f1(2, 2, 1) == 0.5 and f1(0, 0, 0) == 0
    baseline = MostFrequentLabel([[("国家", "n")], [("国", "n"), ("家", "n")], [("国", "n")]])
    assert baseline("家国人") == ["B-n", "B-n", "B-n"]
    assert MostFrequentLabel([[("国家", "n")]])("家") == ["I-n"]


def test_readers_of_tagged_text(tmp_path):
    path = tmp_path / "news.txt"
    path.write_text("[中央/n  电视台/n]nt  播/Vg  。/w  好/a\n\n", "utf-8")
    assert read_tagged(path) == [[("中央", "n"), ("电视台", "n"), ("播", "v"), ("。", "w")], [("好", "a")]]
    path.write_text("好/a\n中央 电视台/n\n", "utf-8")
    with pytest.raises(InputError, match="line 2: expected words as word/TAG, found '中央'"):
        read_tagged(path)
    with zipfile.ZipFile(tmp_path / "sinica_treebank.zip", "w") as archive:
        tree = "#1:1.[0] VP(evaluation:Dbb:就|Head:VC31:來|goal:NP(Head:Nab:x:球))#。"
        archive.writestr("sinica_treebank/parsed", tree + "\n")
    assert read_tagged(tmp_path / "sinica_treebank.zip", None)[0][:2] == [("就", "Dbb"), ("來", "VC31")]
    with pytest.raises(InputError, match=r"expected \*.txt"):
        read_tagged(tmp_path / "news.csv")
    with pytest.raises(InputError, match="too few"):
        split_tagged([[("好", "a")]] * 5, TaggedCorpus(source="", dev=2, test=2))
    corpus = TaggedCorpus(source="", longest=8, number=4, dev=1, test=1)
    parts = split_tagged([[("好" * number, "a")] for number in range(1, 11)], corpus)
    assert [[len(sentence[0][0]) for sentence in part] for part in parts.values()] == [[1, 3], [5], [8]]


def test_pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("It's late.\t很晚了。\nHi!\t嗨。\nHello!\t嗨。\n", "utf-8")
    pairs = read_pairs(path)
    assert pairs[0] == Pair("很晚了。", ["it's", "late", "."])
    path.write_text("Hi!\t嗨。\nHello\n", "utf-8")
    with pytest.raises(InputError, match="line 2: expected English, a tab and Chinese, found 'Hello'"):
        read_pairs(path)
    pairs_drawn = [Pair(f"{first}{second}", [first, second]) for first in "abcdef" for second in "ghijk"] + [
        Pair("ag", ["other"])
    ]
    parts = split_pairs(pairs_drawn, SentencePairs(dev=5, test=5))
    sources = [{pair.source for pair in part} for part in parts.values()]
    assert sum(map(len, parts.values())) == 31 and len(set.union(*sources)) == sum(map(len, sources)) == 30
    with pytest.raises(InputError, match="too few"):
        split_pairs(pairs_drawn, SentencePairs(dev=20, test=20))
    words = target_vocabulary([Pair("", ["a", "b"]), Pair("", ["a"])])
    assert words[4:] == ["a"] and target_ids([["a", "b"]], {"a": 4}) == [[1, 4, 3, 2]]


@pytest.mark.parametrize("number", [8, 11, 3])
def test_buckets_part_the_test(number):
    sources = ["一" * (row % 3) + "十" for row in range(number)]
    buckets = frequency_buckets(sources, ["一一", "十"])
    sizes = {name: len(rows) for name, rows in buckets.items()}
    assert sizes == {"low": number // 4, "mid": number - 2 * (number // 4), "high": number // 4}
    assert sorted(row for rows in buckets.values() for row in rows) == list(range(number))
