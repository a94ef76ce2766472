"""CE-Mix by products of matrices compared with the B x m x n x n formulation; inference by cached numbers of words."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import keep, line, paired
from repline.systems.complex_embedding import density
from repline.systems.complex_embedding.cached_scores import CachedScores
from repline.systems.complex_embedding.model import BagOfStates, ComplexEmbedding, RealEmbedding
from repline.systems.complex_embedding.training import own_label_loss
from repline.training.optimizers.unit_row_adam import UnitRowAdam

TEXTS, BATCH, LENGTH, WORDS, SIZE = 96, 16, 60, 6000, 100  # of the paper: batches of 16, n = 100; CR has 5,700 words
READ = 20000  # texts that are classified by cached numbers
FASTER, A_SECOND = 10, 1e6  # goals


class Materialised(ComplexEmbedding):
    """The network as the paper writes it: every word's projector, their mean, a complex form."""

    def scores(self, ids):
        words = density.states(self.embedding(ids), self.phase(ids))
        projectors = words[:, :, :, None] * words.conj()[:, :, None, :]  # [B, m, n, n]
        rho = projectors.sum(dim=1) / (ids != 0).sum(dim=1)[:, None, None]
        return torch.einsum("cjk,bjk->bc", torch.complex(*self.weight), rho).real


def main() -> None:
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(WORDS)]
    texts = [_text(rng, words, LENGTH) for _ in range(TEXTS)]
    gold = torch.from_numpy(rng.integers(2, size=TEXTS))
    models = []
    for kind in (ComplexEmbedding, Materialised, RealEmbedding):
        torch.manual_seed(0)
        models.append(kind(["a", "b"], words, SIZE, 1, LENGTH))
    ours, peer, real = models
    ids = ours.numbers([[text] for text in texts])
    with torch.inference_mode():
        gap = float((ours.scores(ids) - peer.scores(ids)).abs().max())
    assert gap < 1e-4, f"both formulations differ by {gap}"
    print(f"{TEXTS} texts of {LENGTH} words at most, batches of {BATCH}, {SIZE} dimensions, one thread")
    passes = [_training(model, ids, gold) for model in (ours, peer, real)]
    line("CE-Mix, a pass of training, against B x m x n x n complex numbers", *paired(*passes[:2], 3), FASTER)
    line("CE-Mix, a pass of training, against the real network", *paired(passes[0], passes[2], 3))
    many = [_text(rng, words, 20) for _ in range(READ)]
    cached = CachedScores(ours)
    _read(cached, many, ours, texts)


def _read(cached: CachedScores, many: list[list[str]], ours: BagOfStates, texts: list[list[str]]) -> None:
    """Words a second by cached numbers, compared with the network and with TF-IDF and logistic regression."""
    total = sum(map(len, many))
    started = time.perf_counter()
    cached.classify(many)
    speed = total / (time.perf_counter() - started)
    print(f"  classifying {len(many):,} texts by cached numbers{speed:>28,.0f} words/s")
    keep("words a second by cached numbers, in millions", speed / A_SECOND, 1)
    rows = cached.rows(many)
    started = time.perf_counter()
    cached.means(*rows)
    print(f"  the same, words as numbers already{total / (time.perf_counter() - started):>28,.0f} words/s")
    few = many[:2000]
    line(
        "classifying by cached numbers, against the network itself",
        *paired(lambda: cached.classify(few), lambda: ours.probabilities(ours.numbers([[text] for text in few])), 3),
    )
    weigh = TfidfVectorizer()
    model = LogisticRegression().fit(weigh.fit_transform(map(" ".join, few)), np.arange(len(few)) % 2)
    joined = [" ".join(text) for text in few]
    line(
        "classifying by cached numbers, against TF-IDF and logistic regression",
        *paired(lambda: cached.classify(few), lambda: model.predict(weigh.transform(joined)), 3),
    )
    network = ours.probabilities(ours.numbers([[text] for text in texts])).numpy()
    gap = float(np.abs(cached.probabilities(texts) - network).max())
    assert gap < 1e-5, f"cached numbers change a probability by {gap}"
    keep("largest difference of a probability to the network's, in parts of 1e-5 allowed", gap / 1e-5)


def _training(model, ids, gold):
    optimizer = UnitRowAdam(model.parameters(), 1e-3)

    def one_pass() -> None:
        for rows in torch.arange(len(ids)).split(BATCH):
            optimizer.zero_grad()
            own_label_loss(model, (ids[rows], gold[rows])).backward()
            optimizer.step()

    return one_pass


def _text(rng: np.random.Generator, words: list[str], longest: int) -> list[str]:
    return [words[rank] for rank in rng.zipf(1.2, size=rng.integers(longest // 2, longest + 1)) % len(words)]


if __name__ == "__main__":
    main()
