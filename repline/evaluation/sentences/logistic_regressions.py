"""Many logistic regressions on the same rows at once: every fold of a cross-validation, for one penalty after another.

Problem k of K has its own share of the rows, m_k in {0, 1}^N, and minimises

    f_k(W, b) = (1 / n_k) Σ_i m_ki CE(t_i, softmax(x_i W + b)) + (λ / 2) ‖W‖²,   n_k = Σ_i m_ki

over W [D, C]; two classes take one column of logits. The K problems share X, so that a step of all of them is two
matrix products, X [N, D] with [D, CK] and Xᵀ with [N, CK]. Logits are linear along a search direction, so the line
search takes no product. The search directions are those of L-BFGS, whose first guess of the inverse Hessian is one for
all problems: that of the bound (1/4) Xᵀ X / N + λ I (1/2 for more classes), by a Cholesky factor (Böhning 1992). A
penalty starts where the larger one ended, and a problem that has converged takes no further part.

Source: Liu & Nocedal 1989, *On the limited memory BFGS method for large scale optimization*; Böhning 1992,
*Multinomial logistic regression algorithm*.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from repline.errors import InputError

MEMORY = 8  # pairs of L-BFGS
MAX_STEPS = 60  # at most, for each penalty
TOLERANCE = 1e-3  # of the gradient's length, in parts of that at zero
SUFFICIENT = 1e-4  # decrease, of Armijo's condition
HALVINGS = 12
ROUNDING = 10  # units in the last place of the trace, that keep the factor real


@dataclass
class Weights:
    """W and b of K problems: float [D + 1, C, K], the last row is b; C is 1 for two classes."""

    values: NDArray[np.floating]

    def logits(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """The logits of rows: [N, D] -> [N, C, K]."""
        d, c, k = self.values.shape
        flat = self.values.reshape(d, c * k)
        values = rows @ flat[:-1]
        values += flat[-1]
        return values.reshape(len(rows), c, k)

    def classes(self, rows: NDArray[np.floating]) -> NDArray[np.int64]:
        """The most likely class of rows by each regression: [N, D] -> [N, K]."""
        logits = self.logits(rows)
        return (logits[:, 0] > 0).astype(np.int64) if logits.shape[1] == 1 else logits.argmax(axis=1)

    def probabilities(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """Probabilities of all classes, two for a single column of logits: [N, D] -> [N, max(C, 2), K]."""
        p = _softmax(self.logits(rows))
        return np.concatenate([1 - p, p], axis=1) if p.shape[1] == 1 else p


class Regressions:
    """K regressions on the rows [N, D].

    Args:
        rows: finite.
        targets: int [N], the classes from 0 on; or float [N, C], distributions over them.
        masks: bool [K, N], the rows of each problem; None for a single problem with all rows.
        classes: C; None: one more than the largest class.

    Raises:
        InputError: no row, a row that is not finite, a problem without rows, fewer than two classes.
    """

    def __init__(
        self,
        rows: NDArray[np.floating],
        targets: NDArray,
        masks: NDArray[np.bool_] | None = None,
        classes: int | None = None,
    ):
        rows = np.asarray(rows)
        if not len(rows):
            raise InputError("a classifier needs at least one sentence to learn from, found none")
        if not np.isfinite(rows).all():
            raise InputError("a sentence vector is not finite; check the encoder for NaN and infinity")
        precision = np.float32 if rows.dtype == np.float32 else np.float64
        self.rows: NDArray[np.floating] = np.ascontiguousarray(rows, dtype=precision)
        soft = np.asarray(targets, self.rows.dtype) if np.ndim(targets) == 2 else self._one_hot(targets, classes)
        if soft.shape[1] < 2:
            raise InputError("a classifier needs at least two classes, found one")
        self.targets = soft[:, 1:] if soft.shape[1] == 2 else soft  # [N, C]
        self._share(np.ones((1, len(rows)), dtype=bool) if masks is None else masks)
        mean = self.rows.mean(axis=0)[:, None]
        bound = np.block([[self.rows.T @ self.rows / len(rows), mean], [mean.T, np.ones((1, 1))]])
        self.bound = (bound * (0.25 if self.targets.shape[1] == 1 else 0.5)).astype(self.rows.dtype)  # [D + 1, D + 1]

    def of(self, masks: NDArray[np.bool_]) -> "Regressions":
        """Regressions of other problems on the same rows, whose inner products are computed once."""
        regression = copy(self)
        regression._share(masks)
        return regression

    def path(
        self, penalties: Sequence[float], start: Weights | None = None, tolerance: float | None = None
    ) -> list[Weights]:
        """The solutions for some penalties λ, the largest first and each from the last one; in the order given.

        Args:
            penalties: above 0.
            start: of these K problems; zero if None.
            tolerance: of the gradient's length, in parts of that at zero; TOLERANCE if None.
        """
        current = self._zero() if start is None else start.values.astype(self.rows.dtype)
        solutions: dict[float, NDArray] = {}
        for penalty in sorted(set(penalties), reverse=True):
            solutions[penalty] = current = self._minimise(current, penalty, tolerance or TOLERANCE)
        return [Weights(solutions[penalty]) for penalty in penalties]

    def objective(self, weights: Weights, penalty: float) -> NDArray[np.float64]:
        """f of each problem: [K]."""
        inner = weights.values[:-1].reshape(-1, weights.values.shape[2])
        return self._loss(weights.logits(self.rows), self.shares) + 0.5 * penalty * _dots(inner, inner)

    def gradient(self, weights: Weights, penalty: float) -> NDArray[np.floating]:
        """∂f/∂(W, b) of each problem: [D + 1, C, K]."""
        return self._slope(weights.values, weights.logits(self.rows), self.shares, penalty)

    def _zero(self) -> NDArray:
        return np.zeros((len(self.bound), self.targets.shape[1], len(self.masks)), self.rows.dtype)

    def _one_hot(self, labels: NDArray, classes: int | None) -> NDArray:
        labels = np.asarray(labels)
        return np.eye(int(labels.max()) + 1 if classes is None else classes, dtype=self.rows.dtype)[labels]

    def _share(self, masks: NDArray[np.bool_]) -> None:
        self.masks = np.asarray(masks, dtype=bool)
        counts = self.masks.sum(axis=1)
        if not counts.all():
            raise InputError("a fold has no sentence to learn from; use fewer folds")
        self.shares = (self.masks / counts[:, None]).T.astype(self.rows.dtype)  # [N, K]

    def _minimise(self, start: NDArray, penalty: float, tolerance: float) -> NDArray:
        values = start.copy()
        factor = self._factor(penalty)
        goal = tolerance * np.maximum(_norms(self.gradient(Weights(self._zero()), penalty)), 1e-12)
        active = np.arange(values.shape[2])
        point, shares = values, self.shares
        logits = Weights(point).logits(self.rows)
        slope = self._slope(point, logits, shares, penalty)
        pairs: list[tuple[NDArray, NDArray]] = []
        for _ in range(MAX_STEPS):
            unfinished = _norms(slope) > goal[active]
            if not unfinished.all():
                values[:, :, active] = point
                active, shares = active[unfinished], shares[:, unfinished]
                if not len(active):
                    return values
                point, logits, slope = (array.compress(unfinished, axis=2) for array in (point, logits, slope))
                pairs = [(s.compress(unfinished, axis=2), y.compress(unfinished, axis=2)) for s, y in pairs]
            direction = -_two_loops(slope, pairs, factor)
            along = Weights(direction).logits(self.rows)  # the change of the logits
            size = self._search(point, direction, slope, logits, along, shares, penalty)
            step = size * direction
            point, logits = point + step, logits + size * along
            last, slope = slope, self._slope(point, logits, shares, penalty)
            pairs = [*pairs[-MEMORY + 1 :], (step, slope - last)]
        values[:, :, active] = point
        return values

    def _factor(self, penalty: float) -> tuple:
        """Factor of the bound, its diagonal raised as far as rounding asks for: it only guides the steps.

        Raises:
            InputError: the squares of the rows are not finite.
        """
        rounding = ROUNDING * np.trace(self.bound) * np.finfo(self.rows.dtype).eps
        if not np.isfinite(rounding):
            raise InputError("the numbers of a sentence vector are too large to be squared; check the encoder")
        identity = np.eye(len(self.bound), dtype=self.rows.dtype)
        while True:
            try:
                return cho_factor(self.bound + (penalty + rounding) * identity, check_finite=False)
            except LinAlgError:  # rows that are nearly alike, many of them: their products err by more
                rounding *= 10

    def _search(
        self,
        point: NDArray,
        direction: NDArray,
        slope: NDArray,
        logits: NDArray,
        along: NDArray,
        shares: NDArray,
        penalty: float,
    ) -> NDArray:
        """Armijo's step of each problem, halved from 1 on: [K]; 0 where rounding leaves no descent."""
        now, falls = self._loss(logits, shares), _dots(slope, direction)
        linear, square = _dots(point[:-1], direction[:-1]), _dots(direction[:-1], direction[:-1])
        size = np.ones(point.shape[2], point.dtype)
        todo = np.arange(len(size))
        for attempt in range(HALVINGS):
            t = size[todo]
            if attempt == 0:
                there = self._loss(logits + along, shares)
            else:
                moved = logits.take(todo, axis=2) + t * along.take(todo, axis=2)
                there = self._loss(moved, shares[:, todo])
            change = there - now[todo] + penalty * (t * linear[todo] + 0.5 * t * t * square[todo])
            todo = todo[change > SUFFICIENT * t * falls[todo] + 1e-7 * np.abs(now[todo])]
            if not len(todo):
                return size
            size[todo] *= 0.5
        size[todo] = 0
        return size

    def _loss(self, logits: NDArray, shares: NDArray) -> NDArray[np.float64]:
        """Σ_i share_ki CE of each problem: [N, C, K], [N, K] -> [K]"""
        if logits.shape[1] == 1:
            losses = _softplus(logits[:, 0]) - self.targets * logits[:, 0]
        else:
            peak = _over_classes(np.maximum, logits)
            losses = np.log(_over_classes(np.add, np.exp(logits - peak[:, None]))) + peak
            losses -= _over_classes(np.add, logits * self.targets[:, :, None])
        return np.ones(len(losses)) @ (losses * shares).astype(np.float64)

    def _slope(self, values: NDArray, logits: NDArray, shares: NDArray, penalty: float) -> NDArray:
        residuals = _softmax(logits)
        residuals -= self.targets[:, :, None]
        residuals *= shares[:, None]
        slope = np.empty_like(values)
        slope[:-1] = (self.rows.T @ residuals.reshape(len(residuals), -1)).reshape(values[:-1].shape)
        slope[:-1] += penalty * values[:-1]
        slope[-1] = residuals.sum(axis=0)
        return slope


def _two_loops(slope: NDArray, pairs: Sequence[tuple[NDArray, NDArray]], factor: tuple) -> NDArray:
    """The inverse Hessian that the last steps suggest, times the gradients: [D + 1, C, K]."""
    q = slope.copy()
    penalties_kept = []
    for s, y in reversed(pairs):
        curvature = _dots(s, y)
        rho = np.divide(1, curvature, out=np.zeros_like(curvature), where=curvature > 1e-12)
        alpha = (rho * _dots(s, q)).astype(q.dtype)
        q -= alpha * y
        penalties_kept.append((s, y, rho, alpha))
    q = np.ascontiguousarray(cho_solve(factor, q.reshape(len(q), -1), check_finite=False)).reshape(q.shape)
    for s, y, rho, alpha in reversed(penalties_kept):
        q += (alpha - rho * _dots(y, q)).astype(q.dtype) * s
    return q


def _softmax(logits: NDArray) -> NDArray:
    """Probabilities of the classes, [N, C, K]; of the second one for a single column."""
    if logits.shape[1] == 1:
        return 0.5 * (1 + np.tanh(0.5 * logits))
    p = np.exp(logits - _over_classes(np.maximum, logits)[:, None])
    p /= _over_classes(np.add, p)[:, None]
    return p


def _softplus(x: NDArray) -> NDArray:
    """log(1 + exp(x)), in a fifteenth of the time of `np.logaddexp`, which has no vector instructions."""
    y = np.log1p(np.exp(-np.abs(x)))
    y += np.maximum(x, 0)
    return y


def _over_classes(fold: np.ufunc, values: NDArray) -> NDArray:
    """Fold [N, C, K] over the few classes: [N, K]. Columns one after another are faster than numpy's own reduction."""
    folded = values[:, 0].copy()
    for column in range(1, values.shape[1]):
        fold(folded, values[:, column], out=folded)
    return folded


def _dots(x: NDArray, y: NDArray) -> NDArray[np.float64]:
    """Inner products of each problem: [..., K] -> [K]"""
    products = x.reshape(-1, x.shape[-1]) * y.reshape(-1, y.shape[-1])
    return (np.ones(len(products), products.dtype) @ products).astype(np.float64)


def _norms(x: NDArray) -> NDArray[np.float64]:
    return np.sqrt(_dots(x, x))
