"""Logistic regression of all types at once: the minimum of a convex loss, by L-BFGS instead of stochastic steps.

    L_t = 1/M sum_n [log(1 + exp(z_nt)) - y_nt z_nt] + (l2 / 2) |a_t|^2,     z_nt = a_t . x_n + b_t

It is the loss that scikit-learn's SGDClassifier(loss="log_loss", alpha=l2) goes down. The types share nothing: the sum
of their losses is at its minimum where each of them is.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit


def loss_and_gradient(
    parameters: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.bool_], l2: float
) -> tuple[float, NDArray[np.float64]]:
    """The sum of L_t over types, and its gradient.

        dL_t/da_t = X^T (p_t - y_t) / M + l2 a_t,     p = s(z)

    Args:
        parameters: [T (d + 1)], of each type a_t and b_t.
        x: [M, d]. y: [M, T].

    Returns:
        the loss and [T (d + 1)].
    """
    weights = parameters.reshape(y.shape[1], -1)
    slopes = weights[:, :-1]
    z = x @ slopes.T + weights[:, -1]  # [M, T]
    wrong = expit(z) - y
    loss = (np.logaddexp(0, z).sum() - z[y].sum()) / len(x) + l2 / 2 * (slopes**2).sum()
    gradient = np.concatenate([wrong.T @ x / len(x) + l2 * slopes, wrong.mean(0)[:, None]], axis=1)
    return float(loss), gradient.ravel()


def fit_logistic(
    x: NDArray[np.floating], y: NDArray[np.bool_], l2: float, *, iterations: int = 300
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The slopes [T, d] and intercepts [T] of the minimum.

    Args:
        x: [M, d], standardised. y: [M, T].
        l2: alpha in scikit-learn; above 0, or a type that can be separated has no minimum.
        iterations: of L-BFGS, at most.
    """
    x = np.asarray(x, dtype=np.float64)
    share = np.clip(y.mean(0), 1 / len(y) / 2, 1 - 1 / len(y) / 2)
    start = np.zeros((y.shape[1], x.shape[1] + 1))
    start[:, -1] = np.log(share / (1 - share))
    minimum = minimize(
        loss_and_gradient, start.ravel(), (x, y, l2), "L-BFGS-B", jac=True, options={"maxiter": iterations}
    )
    weights = minimum.x.reshape(start.shape)
    return weights[:, :-1], weights[:, -1]
