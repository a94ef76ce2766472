import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from repline.errors import InputError
from repline.evaluation.sentences import logistic_regressions
from repline.evaluation.sentences.logistic_regressions import Regressions, Weights

RANDOM = np.random.default_rng(3)
ROWS = RANDOM.normal(size=(240, 12)) * np.geomspace(0.1, 2, 12)


def labels_of(classes):
    scores = ROWS @ RANDOM.normal(size=(12, classes)) + 2 * RANDOM.gumbel(size=(240, classes))
    return scores.argmax(axis=1)


@pytest.fixture
def exact(monkeypatch):
    monkeypatch.setattr(logistic_regressions, "TOLERANCE", 1e-8)
    monkeypatch.setattr(logistic_regressions, "MAX_STEPS", 300)


@pytest.mark.parametrize("classes", [2, 4])
def test_every_fold_and_penalty_is_what_scikit_learn_finds_alone(exact, classes):
    labels = labels_of(classes)
    masks = RANDOM.random((3, 240)) < 0.7
    penalties = [0.001, 0.1]
    solved = Regressions(ROWS, labels, masks).path(penalties)
    for penalty, weights in zip(penalties, solved, strict=True):
        probabilities = weights.probabilities(ROWS)
        assert weights.values.shape == (13, 1 if classes == 2 else classes, 3)
        for fold, mask in enumerate(masks):
            peer = LogisticRegression(C=1 / (penalty * mask.sum()), max_iter=5000, tol=1e-10)
            peer.fit(ROWS[mask], labels[mask])
            np.testing.assert_allclose(probabilities[:, :, fold], peer.predict_proba(ROWS), atol=2e-4)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_gradient_is_that_of_the_objective(classes):
    problems = Regressions(ROWS, labels_of(classes), RANDOM.random((2, 240)) < 0.5)
    columns = 1 if classes == 2 else classes
    weights = RANDOM.normal(size=(13, columns, 2)) * 0.3
    slope = problems.gradient(Weights(weights), 0.01)
    for index in ((0, 0, 1), (7, columns - 1, 0), (12, 0, 0)):
        change = np.zeros_like(weights)
        change[index] = 1e-5
        ends = [problems.objective(Weights(weights + sign * change), 0.01)[index[2]] for sign in (1, -1)]
        assert slope[index] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-6)


def test_single_precision_ends_near_the_optimum():
    labels = labels_of(3)
    exactly = Regressions(ROWS, labels)
    weights = Regressions(ROWS.astype(np.float32), labels).path([1e-3])[0]
    assert weights.values.dtype == np.float32
    best = exactly.objective(exactly.path([1e-3])[0], 1e-3)
    assert exactly.objective(Weights(weights.values.astype(np.float64)), 1e-3) == pytest.approx(best, rel=1e-3)


def test_other_masks_on_the_same_rows_are_other_problems(exact):
    labels = labels_of(2)
    masks = RANDOM.random((2, 240)) < 0.6
    shared = Regressions(ROWS, labels).of(masks[1:]).path([0.01])[0]
    both = Regressions(ROWS, labels, masks).path([0.01])[0]
    np.testing.assert_allclose(shared.values[:, :, 0], both.values[:, :, 1], atol=1e-4)


def test_distributions_as_targets_with_certain_ones_are_classes(exact):
    labels = labels_of(3)
    hard = Regressions(ROWS, labels).path([0.01])[0]
    soft = Regressions(ROWS, np.eye(3)[labels]).path([0.01])[0]
    np.testing.assert_allclose(hard.values, soft.values, atol=1e-8)


def test_a_separable_problem_without_much_penalty_ends():
    rows = np.concatenate([np.ones((20, 2)), -np.ones((20, 2))]) + 0.01 * RANDOM.normal(size=(40, 2))
    weights = Regressions(rows, np.repeat([1, 0], 20)).path([1e-8])[0]
    assert (weights.classes(rows)[:, 0] == np.repeat([1, 0], 20)).all()


@pytest.mark.parametrize("noise", [0, 1e-6, 1e-4])
def test_many_rows_that_are_nearly_alike_are_solved(noise):
    random = np.random.default_rng(0)
    rows = (random.normal(size=64) + noise * random.normal(size=(5000, 64))).astype(np.float32)
    labels = (random.random(5000) < 0.7).astype(int)
    weights = Regressions(rows, labels).path([1e-3, 1e-5])
    for solution in weights:  # the rows say nothing, the shares of the classes are all there is
        assert solution.probabilities(rows)[:, 1].mean() == pytest.approx(labels.mean(), abs=0.02)


def test_a_factor_that_rounding_spoils_gets_more_on_its_diagonal(monkeypatch):
    diagonals, factor = [], logistic_regressions.cho_factor

    def spoilt(matrix, **options):
        diagonals.append(matrix[0, 0])
        if len(diagonals) < 3:
            raise np.linalg.LinAlgError
        return factor(matrix, **options)

    monkeypatch.setattr(logistic_regressions, "cho_factor", spoilt)
    rows = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    labels = (rows[:, 0] > 0).astype(int)
    solution = Regressions(rows, labels).path([1e-3])[0]
    assert len(diagonals) == 3 and diagonals == sorted(diagonals)
    assert (solution.classes(rows)[:, 0] == labels).mean() > 0.9


def test_rows_whose_squares_overflow_are_refused():
    rows = np.array([[1e30], [-1e30]], dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(InputError, match="too large to be squared"):
        Regressions(rows, np.array([0, 1])).path([1e-3])


@pytest.mark.parametrize(
    ("rows", "labels", "masks", "message"),
    [
        (np.zeros((0, 2)), np.zeros(0, int), None, "at least one sentence"),
        (np.array([[1.0], [np.nan]]), np.array([0, 1]), None, "not finite"),
        (np.ones((2, 1)), np.array([0, 0]), None, "at least two classes"),
        (np.ones((2, 1)), np.array([0, 1]), np.zeros((1, 2), bool), "use fewer folds"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(rows, labels, masks, message):
    with pytest.raises(InputError, match=message):
        Regressions(rows, labels, masks)
