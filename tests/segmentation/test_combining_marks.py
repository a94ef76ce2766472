"""Words of scripts whose letters take marks, wherever text is split by a regular expression."""

import re
import unicodedata

import pytest

from repline.corpora.captions.picture import caption_words
from repline.corpora.parallel.multiway import text_splitter
from repline.segmentation.combining_marks import LETTERS, MARKS, composed, is_letters
from repline.segmentation.document_sentences import sentences_of
from repline.systems.morph2vec.corpus import usable_words
from repline.systems.visual_characters.translation import translation_pairs

WORDS = ["हिन्दी", "भाषा", "தமிழ்", "ٱلْعَرَبِيَّة", "می\u200cخواهم", "မြန်မာ", "สวัสดี", "שָׁלוֹם"]
TEXT = " ".join(WORDS)
UMLAUTS = "Übung macht größer"
VIETNAMESE = "thời tiết đẹp quá"


def words_of(text, splitting):
    return [word for sentence in sentences_of(text, splitting) for word in sentence]


@pytest.mark.parametrize(
    "split",
    [
        lambda text: words_of(text, "marks"),
        lambda text: words_of(text, "lines"),
        lambda text: words_of(text, "whole"),
        text_splitter("hi", "words"),
        caption_words,
        translation_pairs.TOKEN.findall,
        re.compile(LETTERS).findall,
    ],
)
def test_a_word_keeps_its_marks(split):
    assert list(map(composed, split(TEXT))) == list(map(composed, WORDS))


@pytest.mark.parametrize("text", [UMLAUTS, VIETNAMESE, "한국어 문장", "がっこう です"])
def test_equivalent_texts_have_the_same_words(text):
    decomposed = unicodedata.normalize("NFD", text)
    assert decomposed != text
    for splitting in ("marks", "lines", "whole"):
        assert sentences_of(decomposed, splitting) == sentences_of(text, splitting) == [text.lower().split()]
    assert text_splitter("de", "words")(decomposed) == text.lower().split()
    assert text_splitter("ja")(decomposed) == text_splitter("ja")(text)
    assert caption_words(decomposed) == text.lower().split()


def test_words_of_letters_and_marks_have_candidates_of_morphs():
    words = ["हिन्दी", "café", "a1", "b-c", "\u0301", "Groß", "größe"]
    assert usable_words(words, "hi").tolist() == [0, 1, 6]
    assert [is_letters(word) for word in words] == [True, True, False, False, False, True, True]


@pytest.mark.parametrize(("text", "number"), [("मैं जाता हूँ। तुम आते हो।", 2), ("كيف حالك؟ أنا بخير۔ نعم", 3)])
def test_sentences_end_at_the_marks_of_their_script(text, number):
    assert len(sentences_of(text, "marks")) == number


def test_what_is_no_word_stays_apart():
    assert sentences_of("I \u2764\ufe0f U\u20ac5, don't_go", "whole") == [
        ["i", "\u2764", "\ufe0f", "u", "\u20ac", "5", ",", "don't_go"]
    ]
    assert not re.compile(f"[{MARKS}]").search("abc 123 .,;'’-_ ¨´^~ 々ーゞ漢字かな한글")
