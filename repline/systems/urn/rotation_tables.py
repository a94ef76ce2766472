"""Tables of a URN's matrices: effects, distances, angles and planes of its symbols and phrases.

A model is given as two functions, `matrix(symbol)` and `phrase(symbols)`, each returning [n, n].

Source: Bernardy & Lappin 2022, tables 1 to 4.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from repline.algebra.rotations import average_effect, plane_similarity, rotations, signature, squared_distance
from repline.evaluation.nested_measures import Metric


def effects(matrix: Callable[[str], Tensor], symbols: Iterable[str]) -> dict[str, float]:
    """The average effect |Q - I|^2 of each symbol."""
    return {symbol: float(average_effect(matrix(symbol))) for symbol in symbols}


def distances(matrix: Callable[[str], Tensor], symbols: Sequence[str]) -> np.ndarray:
    """Squared distances between the matrices of `symbols`: [M, M], symmetric."""
    stacked = torch.stack([matrix(symbol) for symbol in symbols])
    return squared_distance(stacked[:, None], stacked[None]).clamp_min(0).cpu().numpy()


def number_clusters(
    matrix: Callable[[str], Tensor], singular: Sequence[str], plural: Sequence[str]
) -> dict[str, float]:
    """Mean squared distance of nouns of the same number, and of different number.

    Returns:
        distance_same_number, distance_different_number; empty unless there are two nouns of each number.
    """
    if len(singular) < 2 or len(plural) < 2:
        return {}
    table = distances(matrix, [*singular, *plural])
    plurals = np.arange(len(table)) >= len(singular)
    pairs = np.triu(np.ones_like(table, dtype=bool), 1)
    same = plurals[:, None] == plurals[None]
    return {
        "distance_same_number": float(table[pairs & same].mean()),
        "distance_different_number": float(table[pairs & ~same].mean()),
    }


def bracket_names(kinds: Mapping[str, str]) -> dict[str, str]:
    """{"round": "()"} -> {"round_open": "(", "round_close": ")"}."""
    return {f"{name}_{end}": pair[side] for name, pair in kinds.items() for side, end in enumerate(("open", "close"))}


def bracket_tables(
    matrix: Callable[[str], Tensor], phrase: Callable[[Sequence[str]], Tensor], kinds: Mapping[str, str], largest: int
) -> dict[str, Metric]:
    """Effects and rotation angles of single and matching brackets.

    Args:
        kinds: name -> opening and closing symbol, e.g. {"round": "()"}.
        largest: how many angles of each symbol to give (k).

    Returns:
        effects and angles (degrees, increasing; the `largest` greatest) of `<kind>_open` and `<kind>_close`,
        pair_effects of each kind; single_effect, pair_effect, mismatched_pair_effect (means);
        pair_to_single_ratio, mismatched_to_single_ratio; open_close_effect_difference (mean relative difference
        between the two symbols of a kind; _largest: of any kind) and open_close_angle_difference (mean, degrees).
    """
    symbols = bracket_names(kinds)
    single = {name: float(average_effect(matrix(symbol))) for name, symbol in symbols.items()}
    turns = {name: signature(matrix(symbol))[-largest:] for name, symbol in symbols.items()}
    angles = {name: [0.0] * (largest - len(largest_angles)) + largest_angles for name, largest_angles in turns.items()}
    effect = {(a, b): float(average_effect(phrase([kinds[a][0], kinds[b][1]]))) for a in kinds for b in kinds}
    matching = [value for (a, b), value in effect.items() if a == b]
    mismatched = [value for (a, b), value in effect.items() if a != b]
    mean = float(np.mean(list(single.values())))
    ends = [(f"{name}_open", f"{name}_close") for name in kinds]
    differences = [abs(single[a] - single[b]) / single[a] for a, b in ends]
    return {
        "effects": single,
        "angles": angles,
        "pair_effects": {name: effect[name, name] for name in kinds},
        "single_effect": mean,
        "pair_effect": float(np.mean(matching)),
        "mismatched_pair_effect": float(np.mean(mismatched)),
        "pair_to_single_ratio": float(np.mean(matching)) / mean,
        "mismatched_to_single_ratio": float(np.mean(mismatched)) / mean,
        "open_close_effect_difference": float(np.mean(differences)),
        "open_close_effect_difference_largest": max(differences),
        "open_close_angle_difference": float(
            np.mean([np.abs(np.subtract(angles[a], angles[b])).mean() for a, b in ends])
        ),
    }


def plane_similarities(a: Tensor, b: Tensor, largest: int) -> list[list[float]]:
    """Similarity, in [0, 2], of each of the `largest` widest rotations of A to each of B; rows and columns by angle."""
    planes_a, planes_b = ([rotation.plane for rotation in rotations(q)[-largest:]] for q in (a, b))
    return [[plane_similarity(x, y) for y in planes_b] for x in planes_a]
