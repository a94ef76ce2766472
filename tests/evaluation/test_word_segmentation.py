import pytest

from repline.corpora.recipes import Segmentation
from repline.errors import InputError
from repline.evaluation.word_segmentation import segmented_again, segmenter_scores, word_f1
from repline.segmentation.characters import normalise_widths


def test_words_count_where_both_ends_are_right():
    # gold ab|c|de, found ab|cd|e: one of three words is found, and one of three found words is right
    measured = word_f1([["ab", "c", "de"]], [["ab", "cd", "e"]])
    assert measured["precision"] == measured["recall"] == measured["f1"] == pytest.approx(1 / 3)
    assert (measured["gold_words"], measured["found_words"], measured["exact_sentences"]) == (3, 3, 0)


def test_precision_and_recall_differ_where_words_are_cut_finer():
    measured = word_f1([["abcd"], ["e", "f"]], [["a", "bcd"], ["e", "f"]])
    assert measured["precision"] == pytest.approx(2 / 4)
    assert measured["recall"] == pytest.approx(2 / 3)
    assert measured["f1"] == pytest.approx(2 * 2 / 7)
    assert measured["exact_sentences"] == 1


def test_the_same_word_elsewhere_does_not_count():
    assert word_f1([["a", "ba"]], [["ab", "a"]])["f1"] == 0


def test_white_space_does_not_count_and_other_characters_are_refused():
    assert word_f1([["a b", " ", "c"]], [["ab", "c"]])["f1"] == 1
    with pytest.raises(InputError, match="sentence 2: the segmentations have different characters: 'cd', 'ce'"):
        word_f1([["ab"], ["c", "d"]], [["ab"], ["ce"]])
    with pytest.raises(ValueError, match="shorter"):
        word_f1([["ab"], ["c"]], [["ab"]])


def test_nothing_is_zero():
    assert word_f1([], [])["f1"] == 0.0


def test_a_normalised_text_is_compared_in_its_own_characters():
    gold = [["１９９８年", "新年"], ["ｶﾞｯｺｳ", "へ"]]
    texts_seen = []

    def segment(text):
        texts_seen.append(text)
        return [text[:5], text[5:]]

    words = list(segmented_again(gold, segment, normalise_widths))
    assert texts_seen == ["1998年新年", "ｶﾞｯｺｳへ"]  # the second would have become shorter
    assert words == [["１９９８年", "新年"], ["ｶﾞｯｺｳ", "へ"]]
    assert word_f1(gold, words)["f1"] == 1


def test_a_segmenter_is_scored_on_normalised_text():
    gold = [["Ａ", "漢字"], ["ab", "c"]]
    scores = segmenter_scores(gold, Segmentation(language="zh", conversion="t2s"))
    assert scores["gold_words"] == 4 and scores["sentences"] == 2
    assert segmenter_scores([["Don't", "stop"]], Segmentation(language="qqq"))["found_words"] == 1  # set without blanks
    with pytest.raises(InputError, match=r"segmentation of zh: .*'hm'"):
        segmenter_scores(gold, Segmentation(language="zh", segmentation={"hm": True}))
