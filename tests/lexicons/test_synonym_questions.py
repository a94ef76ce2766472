"""Made synonym questions: that a question has one right answer, and options that nothing else tells apart."""

import pytest

from repline.errors import InputError
from repline.lexicons.synonym_questions import synonym_questions
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet


def synset(name, lemmas, pos="n", above=None, below=()):
    pointers = [Pointer("hypernym", above)] if above else []
    return Synset(name, pos, tuple(lemmas), (*pointers, *(Pointer("hyponym", hyponym) for hyponym in below)))


ANIMALS = ["dog", "cat", "cow", "owl", "hen"]
WORDNET = WordNet(
    [
        synset("1", ["car", "automobile", "motor_car"], above="2"),
        synset("2", ["vehicle"], below=["1", "3"]),
        synset("3", ["truck", "lorry"], above="2"),
        *(synset(name, [name]) for name in ANIMALS),
        synset("4", ["run", "sprint"], "v"),
        synset("5", ["run", "trot"], "n"),
        synset("6", ["London", "Capital"]),
        synset("7", ["go", "walk"], "v"),
    ]
)
COUNTS = {"car": 50, "automobile": 20, "vehicle": 40, "truck": 30, "lorry": 300, "London": 60, "Capital": 60}
COUNTS |= dict.fromkeys(ANIMALS, 25) | {"run": 30, "sprint": 30, "trot": 30, "hen": 2500, "go": 30, "walk": 30}


def test_questions_by_hand():
    questions = synonym_questions(WORDNET, COUNTS, seed=3)
    question_of = {question[0]: question for question in questions}
    # run is a noun and a verb, lorry too frequent to be asked for, go has no other verbs as distractors
    assert set(question_of) <= {"car", "automobile", "truck", "sprint", "trot"}
    assert "truck" not in question_of  # its synonym is the only word with hundreds of occurrences next to it
    for word, synonym, *wrong in questions:
        assert {word, synonym} == {"car", "automobile"} or word == "trot"
        assert len(set(wrong)) == 3
    pair = next(question for question in questions if question[0] in ("car", "automobile"))
    assert set(pair[2:]) <= {"dog", "cat", "cow", "owl", "truck", "trot"}  # as frequent, and no vehicle, no hen


def test_a_pair_is_asked_one_way_only():
    for seed in range(10):
        cues = [question[0] for question in synonym_questions(WORDNET, COUNTS, seed=seed)]
        assert len({"car", "automobile"} & set(cues)) == 1


def test_counts_and_number_are_kept():
    with pytest.raises(InputError, match="share no words"):
        synonym_questions(WORDNET, COUNTS, lowest=1000, highest=2000)
    assert len(synonym_questions(WORDNET, COUNTS, number=1)) == 1
    assert synonym_questions(WORDNET, COUNTS, seed=5) == synonym_questions(WORDNET, COUNTS, seed=5)
