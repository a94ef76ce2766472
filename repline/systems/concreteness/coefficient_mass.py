"""Over how many dimensions the coefficients of a linear model are spread."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def coefficient_mass(coefficients: ArrayLike) -> dict[str, Any]:
    """The cumulative share of the absolute coefficients, largest first.

    Args:
        coefficients: [d], not all zero.

    Returns:
        `cumulative` [d], ending at 1; `dimensions_for_half` and `dimensions_for_80_percent`, the fewest that hold 50
        and 80 % of the mass, and both as shares of d (`share_...`); `mass_of_half`, what the larger half holds.

    Raises:
        ValueError: no coefficient differs from zero.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.4.
    """
    sizes = np.sort(np.abs(np.asarray(coefficients, dtype=float)))[::-1]
    if not sizes.sum() > 0:
        raise ValueError("expected coefficients that differ from zero")
    cumulative = np.cumsum(sizes) / sizes.sum()
    half, most = (int(np.argmax(cumulative >= share - 1e-12)) + 1 for share in (0.5, 0.8))
    return {
        "cumulative": cumulative.tolist(),
        "dimensions_for_half": half,
        "dimensions_for_80_percent": most,
        "share_for_half": half / len(sizes),
        "share_for_80_percent": most / len(sizes),
        "mass_of_half": float(cumulative[max(len(sizes) // 2, 1) - 1]),
    }
