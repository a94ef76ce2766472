import pytest

from repline.corpora.chunks.tag_spans import spans
from repline.errors import InputError
from repline.evaluation.chunking import chunk_scores


def test_spans_of_iob2():
    tags = ["B-NP", "I-NP", "B-NP", "O", "B-VP", "I-NP", "I-NP"]
    assert spans(tags) == [("NP", 0, 2), ("NP", 2, 3), ("VP", 4, 5), ("NP", 5, 7)]
    assert spans([]) == spans(["O", "O"]) == []


def test_a_span_is_right_when_all_of_it_is():
    gold = [["B-NP", "I-NP", "B-VP"], ["B-NP", "O"]]
    predicted = [["B-NP", "I-NP", "B-NP"], ["B-NP", "I-NP"]]
    scores = chunk_scores(gold, predicted)
    assert scores["NP"] == {"precision": 1 / 3, "recall": 1 / 2, "f1": 0.4, "gold": 2, "found": 3}
    assert scores["VP"] == {"precision": 0, "recall": 0, "f1": 0, "gold": 1, "found": 0}
    assert scores["overall"] == {"precision": 1 / 3, "recall": 1 / 3, "f1": 1 / 3, "gold": 3, "found": 3}
    assert list(scores) == ["overall", "NP", "VP"]
    assert chunk_scores(gold, gold)["overall"]["f1"] == 1


def test_nothing_to_find():
    assert chunk_scores([["O"]], [["O"]]) == {
        "overall": {"precision": 0, "recall": 0, "f1": 0, "gold": 0, "found": 0},
    }


def test_sentences_that_do_not_match():
    with pytest.raises(InputError, match="sentence 1: expected a predicted tag for each of 2 gold tags, found 1"):
        chunk_scores([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(InputError, match="as many sentences"):
        chunk_scores([["O"]], [])
