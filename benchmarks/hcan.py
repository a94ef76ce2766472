"""HCAN in batches, compared with one document at a time, with HAN, and with TF-IDF and logistic regression."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import keep, line, paired
from repline.evaluation.classification.peer_networks import HAN
from repline.layers.document_network import DocumentNetwork
from repline.systems.hcan.model import HCAN

DOCUMENTS, BATCH, SENTENCES, LENGTH, WORDS = 256, 64, 12, 24, 5000
SIZE, HEADS = 32, 4  # of the default parameters
BATCHED = 5  # goal
LIMITS = {
    "training": "Dropout and the softmax over words take 10 % of a pass each, products 23 %: no part of it stands out.",
    "classifying": "The softmax over the words of a sentence takes 29 % of the time, and products 22 %.",
}


def main() -> None:
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(WORDS)]
    documents = [
        [
            [words[number] for number in rng.zipf(1.3, size=rng.integers(3, LENGTH + 1)) % WORDS]
            for _ in range(rng.integers(1, SENTENCES + 1))
        ]
        for _ in range(DOCUMENTS)
    ]
    gold = torch.from_numpy(rng.integers(4, size=DOCUMENTS))
    shape = (["a", "b", "c", "d"], words, SIZE, SENTENCES, LENGTH)
    ours, peer = HCAN(*shape, size=SIZE, heads=HEADS), HAN(*shape)
    print(f"{DOCUMENTS} documents of {SENTENCES} sentences and {LENGTH} words at most, batches of {BATCH}, one thread")
    batched, alone = paired(lambda: _train(ours, documents, gold, BATCH), lambda: _train(ours, documents, gold, 1), 3)
    line(
        "HCAN, a pass of training in batches, against one document at a time",
        batched,
        alone,
        BATCHED,
        LIMITS["training"],
    )
    fast, slow = paired(lambda: _classify(ours, documents, BATCH), lambda: _classify(ours, documents, 1), 3)
    line("HCAN, classifying in batches, against one document at a time", fast, slow, BATCHED, LIMITS["classifying"])
    same, han = paired(lambda: _train(ours, documents, gold, BATCH), lambda: _train(peer, documents, gold, BATCH), 3)
    line("HCAN, a pass of training in batches, against HAN with 50 units", same, han)
    fast, linear = paired(lambda: _classify(ours, documents, BATCH), _linear(documents, gold.numpy()), 3)
    line("HCAN, classifying in batches, against TF-IDF and logistic regression", fast, linear)
    for name, seconds in (
        ("HCAN, training, one at a time", alone),
        ("HCAN, training, in batches", same),
        ("HAN, training, in batches", han),
        ("HCAN, classifying, in batches", fast),
        ("TF-IDF and logistic regression, classifying", linear),
    ):
        print(f"  {name:<50} {DOCUMENTS / seconds:>10,.0f} documents/s")
    gap = _gap(ours, documents)
    assert gap < 1e-4, f"batches change a probability by {gap}"
    keep("largest difference of a probability between both ways, in parts of 1e-4 allowed", gap / 1e-4)


def _train(model: DocumentNetwork, documents: list, gold: torch.Tensor, batch: int) -> None:
    """One pass with Adam; documents of similar size share a batch."""
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), 1e-4)
    for rows in _order(documents).split(batch):
        optimiser.zero_grad()
        ids = model.numbers([documents[row] for row in rows.tolist()])
        torch.nn.functional.cross_entropy(model(ids), gold[rows]).backward()
        optimiser.step()


def _classify(model: DocumentNetwork, documents: list, batch: int) -> torch.Tensor:
    probabilities = [
        model.probabilities(model.numbers([documents[row] for row in rows.tolist()]))
        for rows in _order(documents).split(batch)
    ]
    return torch.cat(probabilities)


def _order(documents: list) -> torch.Tensor:
    return torch.tensor([len(document) for document in documents]).argsort(stable=True)


def _gap(model: DocumentNetwork, documents: list) -> float:
    return float((_classify(model, documents, BATCH) - _classify(model, documents, 1)).abs().max())


def _linear(documents: list, gold: np.ndarray):
    texts = [" ".join(word for sentence in document for word in sentence) for document in documents]
    weigh = TfidfVectorizer(ngram_range=(1, 2))
    model = LogisticRegression(C=10.0, max_iter=200).fit(weigh.fit_transform(texts), gold)
    return lambda: model.predict_proba(weigh.transform(texts))


if __name__ == "__main__":
    main()
