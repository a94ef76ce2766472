"""Running text of any script is cut into sentences alike, whether it is trained on or raw input of a model."""

import pytest

from repline.segmentation.sentence_starts import begins_sentence
from repline.segmentation.treebank import words
from repline.systems.rnn_cnn.ordered_text import sentences_of_text
from repline.use.corpus_spelling import sentences_of

TEXTS = [
    ["Sie ging.", "Österreich blieb.", "„Wer?“ fragte er.", "Ärzte kamen."],
    ["Она ушла.", "Он остался!", "Почему?"],
    ["나는 간다.", "너는 온다.", "3시다."],
    ["मैं जाता हूँ।", "तुम आते हो।"],
    ["كيف حالك؟", "أنا بخير.", "شكرا۔", "نعم"],
    ["Łukasz spał.", "Źle.", "İyi."],
    ["Vino tarde.", "¿Qué pasó?", "¡Nada!"],
]


@pytest.mark.parametrize("split", [sentences_of, sentences_of_text])
@pytest.mark.parametrize("sentences", TEXTS)
def test_sentences_of_any_script_are_cut(split, sentences):
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize("split", [sentences_of, sentences_of_text])
@pytest.mark.parametrize(
    "text", ["Er kam ca. um 3.5 Uhr usw. über Łódź.", "Она (см. ниже) ушла.", "Dr. Smith came.", "a ... b"]
)
def test_no_sentence_begins_with_a_small_letter_or_after_a_title(split, text):
    assert split(text) == [text]


@pytest.mark.parametrize("split", [sentences_of, sentences_of_text])
def test_long_lines_of_initials_and_dots_are_cut_in_linear_time(split):
    authors = "Smith J. " * 50_000 + "They wrote."
    assert split(authors) == [authors]
    assert split("." * 200_000 + "a") == ["." * 200_000 + "a"]


def test_an_end_of_the_text_begins_nothing():
    assert not begins_sentence("End. ", 4) and not begins_sentence("End. ...", 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("मैं जाता हूँ।", ["मैं", "जाता", "हूँ", "।"]),
        ("كيف حالك؟ نعم، شكرا۔", ["كيف", "حالك", "؟", "نعم", "،", "شكرا", "۔"]),
        ("¿Qué pasó? ¡Nada!", ["¿", "Qué", "pasó", "?", "¡", "Nada", "!"]),
    ],
)
def test_marks_of_other_scripts_are_words_of_their_own(text, expected):
    assert words(text) == expected
