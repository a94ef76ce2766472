"""The table of docs/how-figures-are-judged.md: how often chance alone decides a claim, by the rules that judge it."""

import re
from pathlib import Path

import numpy as np
import pytest

from repline.evaluation.replication.bootstrap import REPLICATES, drawn_runs
from repline.evaluation.replication.intervals import COVERED, agree
from repline.evaluation.replication.weighted_draws import draws

PAGE = Path(__file__).parents[3] / "docs/how-figures-are-judged.md"
SEEDS = (2, 3, 4, 5, 8)
LOOKS = (3, 5, 8)  # seeds at which somebody looks who adds some while nothing is decided
EXPERIMENTS, ITEMS = 3000, 40
TOLERANCE = 0.02


def documented(first_cell):
    """The numbers in the row of the page's table that begins with this cell."""
    row = re.search(rf"^\| {re.escape(first_cell)} \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [float(cell.rstrip("% ")) / 100 for cell in row[1].split("|")]


@pytest.fixture(scope="module")
def effects():
    """The effect that each seed of each experiment shows where there is none [experiments, seeds]."""
    return np.random.default_rng(0).normal(size=(EXPERIMENTS, max(SEEDS)))


def of_draws(effects, seeds):
    """The mean effect in each replicate [experiments, REPLICATES]."""
    drawn = np.stack([drawn_runs(seeds, replicate) for replicate in range(REPLICATES)])
    counts = np.stack([np.bincount(numbers, minlength=seeds) for numbers in drawn])  # [REPLICATES, seeds]
    return effects[:, :seeds] @ (counts / counts.sum(axis=1, keepdims=True)).T


def holds(mean, replicates):
    """Whether each experiment is judged "holds"."""
    return (mean > 0) & np.array([agree(row) for row in (replicates > 0).tolist()])


@pytest.fixture(scope="module")
def held(effects):
    """Whether each experiment is judged "holds", by the number of its seeds."""
    return {seeds: holds(effects[:, :seeds].mean(axis=1), of_draws(effects, seeds)) for seeds in SEEDS}


def test_how_often_seeds_alone_decide(held):
    shares = [held[seeds].mean() for seeds in SEEDS]
    assert documented("holds, seeds alone") == pytest.approx(shares, abs=TOLERANCE)
    assert shares[0] > 4 * (1 - 0.95) > 2 * shares[-1] > 2 * (1 - 0.95)


def test_how_often_seeds_and_items_decide(effects):
    """Half of the variance comes from seeds, and half from test items."""
    random = np.random.default_rng(1)
    weights = draws(ITEMS).T / ITEMS
    items = random.normal(size=(EXPERIMENTS, ITEMS)) * np.sqrt(ITEMS)
    shares = []
    for seeds in SEEDS:
        by_seeds, scale = of_draws(effects, seeds), np.sqrt(seeds)
        mean = effects[:, :seeds].mean(axis=1) * scale + items.mean(axis=1)
        shares.append(holds(mean, by_seeds * scale + items @ weights).mean())
    assert documented("holds, seeds and test items") == pytest.approx(shares, abs=TOLERANCE)


def test_how_often_the_interval_has_the_true_effect(effects):
    shares = []
    for seeds in SEEDS:
        low, high = np.percentile(of_draws(effects, seeds), COVERED, axis=1)
        shares.append(((low <= 0) & (high >= 0)).mean())
    assert documented("interval has the true effect, seeds alone") == pytest.approx(shares, abs=TOLERANCE)


def test_noise_of_each_seed_on_each_item_widens_intervals():
    """What varies neither by seed nor by item, but by both together, counts about three times: once in each draw."""
    seeds, experiments = 3, 500
    noise = np.random.default_rng(2).normal(size=(experiments, seeds, ITEMS))
    by_seed = noise @ (draws(ITEMS).T / ITEMS)  # [experiments, seeds, REPLICATES]
    drawn = np.stack([drawn_runs(seeds, replicate) for replicate in range(REPLICATES)])
    means = by_seed[:, drawn, np.arange(REPLICATES)[:, None]].mean(axis=2)  # [experiments, REPLICATES]
    too_wide = np.sqrt(means.var(axis=1).mean() * seeds * ITEMS)
    written = re.search(r"about (\d\.\d) times too wide", PAGE.read_text(encoding="utf-8"))
    assert float(written[1]) == pytest.approx(too_wide, abs=0.1)


def test_looking_again_decides_more_often(held):
    again = np.any([held[seeds] for seeds in LOOKS], axis=0).mean()
    written = re.search(
        r"hold in (\d+\.\d) % of cases, looking\s+after 3, 5 and 8 seeds", PAGE.read_text(encoding="utf-8")
    )
    assert float(written[1]) / 100 == pytest.approx(again, abs=TOLERANCE)
    assert again > max(held[seeds].mean() for seeds in LOOKS)
