import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.test.utils import datapath

from repline.evaluation.word_vectors import analogy as module
from repline.evaluation.word_vectors.analogy import analogy, solve
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.evaluation.word_vectors.embedding import Embedding


def unit(*degrees):
    return np.array([[np.cos(np.radians(d)), np.sin(np.radians(d))] for d in degrees], dtype=np.float32)


def naive(embedding, question, method, limit):
    """Every candidate's score in float64, -inf for the words of the question."""
    unit = embedding.matrix[:limit] / np.linalg.norm(embedding.matrix[:limit], axis=1, keepdims=True)
    a, b, c = (unit.astype(np.float64) @ unit[row].astype(np.float64) for row in question)
    if method == "mul":
        a, b, c = ((cosine + 1) / 2 for cosine in (a, b, c))
        scores = b * c / (a + 0.001)
    else:
        scores = b - a + c
    scores[np.isin(embedding.forms[:limit], embedding.forms[question])] = -np.inf
    return scores


@pytest.fixture
def random():
    generator = np.random.default_rng(1)
    matrix = generator.standard_normal((2500, 12)).astype(np.float32)
    embedding = Embedding([f"w{row}" for row in range(2500)], matrix)
    return embedding, generator.integers(0, 2400, (300, 3))


def test_by_hand():
    # a at 0, b at 30, c at 90 degrees: b - a + c points to about 105
    embedding = Embedding(["a", "b", "c", "near", "far"], unit(0, 30, 90, 105, 200))
    assert solve(embedding, np.array([[0, 1, 2]])).tolist() == [[3]]
    result = analogy(embedding, [("a", "b", "c", "near"), ("a", "b", "c", "far")], ["s", "t"])
    assert (result["accuracy"], result["correct"]) == (0.5, 1)
    assert result["sections"]["s"]["accuracy"] == 1
    assert result["sections"]["t"]["accuracy"] == 0


def test_add_and_mul_can_differ():
    # cosines of p with (a, b, c): 0, 0.9, 0.1; of q: 0, 0.6, 0.38
    #   add: p 1.0, q 0.98;   mul: p 0.95 * 0.55 / 0.501 = 1.043, q 0.8 * 0.69 / 0.501 = 1.102
    matrix = np.zeros((5, 5), dtype=np.float32)
    matrix[:3, :3] = np.eye(3)
    matrix[3, 1:4] = 0.9, 0.1, np.sqrt(1 - 0.9**2 - 0.1**2)
    matrix[4, [1, 2, 4]] = 0.6, 0.38, np.sqrt(1 - 0.6**2 - 0.38**2)
    embedding = Embedding(["a", "b", "c", "p", "q"], matrix)
    assert solve(embedding, np.array([[0, 1, 2]]), method="add").tolist() == [[3]]
    assert solve(embedding, np.array([[0, 1, 2]]), method="mul").tolist() == [[4]]


@pytest.mark.parametrize("method", ["add", "mul"])
@pytest.mark.parametrize("limit", [2500, 2400])
def test_the_best_answers_of_a_plain_search(random, method, limit):
    embedding, questions = random
    answers = solve(embedding, questions, method=method, vocabulary=limit, best=3)
    for question, best in zip(questions, answers, strict=True):
        assert best.tolist() == np.argsort(-naive(embedding, question, method, limit))[:3].tolist()
    assert (solve(embedding, questions, method=method, vocabulary=limit) == answers[:, :1]).all()


@pytest.mark.parametrize("method", ["add", "mul"])
@pytest.mark.parametrize("best", [1, 4])
def test_no_answer_depends_on_the_block(random, method, best, monkeypatch):
    embedding, questions = random
    expected = solve(embedding, questions, method=method, best=best)
    for block in (1, 7, 1000):
        assert (solve(embedding, questions, method=method, best=best, block=block) == expected).all()
    monkeypatch.setattr(module, "TILE", 331)
    monkeypatch.setattr(module, "GROUP", 17)
    assert (solve(embedding, questions, method=method, best=best) == expected).all()


def test_of_equal_words_the_first_answers(monkeypatch):
    embedding = Embedding(["a", "b", "c", "x", "y", "z"], unit(0, 30, 90, 200, 105, 105))
    for tile in (1024, 5):
        monkeypatch.setattr(module, "TILE", tile)
        assert solve(embedding, np.array([[0, 1, 2]])).tolist() == [[4]]
        assert solve(embedding, np.array([[0, 1, 2]]), best=3).tolist() == [[4, 5, 3]]


def test_the_words_of_the_question_are_no_answers_in_any_case():
    # "C" is nearest to the target, but is c
    embedding = Embedding(["a", "b", "c", "C", "near"], unit(0, 30, 90, 104, 110))
    assert solve(embedding, np.array([[0, 1, 2]])).tolist() == [[4]]
    case_kept = Embedding(["a", "b", "c", "C", "near"], unit(0, 30, 90, 104, 110), ignore_case=False)
    assert solve(case_kept, np.array([[0, 1, 2]])).tolist() == [[3]]


def test_any_case_of_the_answer_is_right():
    embedding = Embedding(["a", "b", "c", "near", "x", "Near"], unit(0, 30, 90, 140, 200, 105))
    assert solve(embedding, np.array([[0, 1, 2]])).tolist() == [[5]]
    assert analogy(embedding, [("A", "B", "C", "NEAR")], ["s"])["accuracy"] == 1


def test_fewer_words_than_answers():
    embedding = Embedding(["a", "b", "c", "d"], unit(0, 30, 90, 105))
    assert solve(embedding, np.array([[0, 1, 2]]), best=3).tolist() == [[3, -1, -1]]
    assert solve(embedding, np.array([[0, 1, 2]]), vocabulary=3).tolist() == [[-1]]
    assert solve(embedding, np.zeros((0, 3), dtype=int)).shape == (0, 1)


def test_missing_words_are_left_out_or_wrong():
    embedding = Embedding(["a", "b", "c", "near", "far"], unit(0, 30, 90, 105, 200))
    questions = [("a", "b", "c", "near"), ("a", "b", "c", "missing"), ("a", "b", "far", "c"), ("x", "b", "c", "near")]
    result = analogy(embedding, questions, ["s", "s", "t", "u"], vocabulary=4)
    assert (result["questions"], result["kept"], result["coverage"]) == (4, 1, 0.25)
    assert (result["accuracy"], result["accuracy_penalised"]) == (1, 0.25)
    assert result["sections"]["s"]["accuracy_penalised"] == 0.5
    assert result["sections"]["t"] == {
        "accuracy": None,
        "accuracy_penalised": 0,
        "correct": 0,
        "questions": 1,
        "kept": 0,
        "coverage": 0,
    }


def test_impossible_questions_are_refused(random):
    embedding, _ = random
    with pytest.raises(ValueError, match="rows of the first 10 words, found 3 to 10"):
        solve(embedding, np.array([[3, 4, 10]]), vocabulary=10)
    with pytest.raises(ValueError, match="add or mul"):
        solve(embedding, np.array([[3, 4, 10]]), method="pair")
    with pytest.raises(ValueError, match="one section"):
        analogy(embedding, [("a", "b", "c", "d")], [])


def test_the_same_answers_as_gensim(tmp_path):
    questions, sections = read_analogies(datapath("questions-words.txt"))
    questions, sections = questions[::60], sections[::60]
    words_asked = sorted({word for question in questions for word in question})
    generator = np.random.default_rng(2)
    words = words_asked[5:] + [f"filler{row}" for row in range(1500)] + [word.upper() for word in words_asked[:200]]
    matrix = generator.standard_normal((len(words), 20)).astype(np.float32)
    row = {word: number for number, word in enumerate(words)}
    for a, b, c, d in questions[::2]:  # so that half of them have the right answer, and not by chance
        if {a, b, c, d} <= row.keys():
            matrix[row[d]] = sum(
                sign * matrix[row[w]] / np.linalg.norm(matrix[row[w]]) for sign, w in ((1, b), (-1, a), (1, c))
            )
    keyed = KeyedVectors(20)
    keyed.add_vectors(words, matrix)
    path = tmp_path / "questions.txt"
    lines = [f": {section}\n{' '.join(question)}" for question, section in zip(questions, sections, strict=True)]
    path.write_text("\n".join(lines))
    limit = len(words) - 30
    _, solved = keyed.evaluate_word_analogies(str(path), restrict_vocab=limit)
    correct = {tuple(word.casefold() for word in question) for question in solved[-1]["correct"]}
    wrong = {tuple(word.casefold() for word in question) for question in solved[-1]["incorrect"]}
    assert len(correct) > 50 and len(wrong) > 50
    embedding = Embedding.of(keyed)
    for question in questions:
        result = analogy(embedding, [question], ["s"], vocabulary=limit)
        form = tuple(word.casefold() for word in question)
        assert (result["correct"], result["kept"]) == (int(form in correct), int(form in correct | wrong)), question
    whole = analogy(embedding, questions, sections, vocabulary=limit)
    assert (whole["correct"], whole["kept"]) == (len(solved[-1]["correct"]), len(correct) + len(wrong))
