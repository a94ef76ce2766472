"""Thresholds and resampled F1 compared with scikit-learn; reading of Reuters-21578 compared with html.parser."""

import os
import tempfile
from html.parser import HTMLParser
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import f1_score, precision_recall_curve

from benchmarks.timing import line, paired
from repline.corpora.labelled.collections.reuters_sgml import read_reuters
from repline.evaluation.multi_label import best_thresholds, multi_label_f1
from repline.evaluation.replication.weighted_draws import draws

DOCUMENTS, LABELS = 5_000, 60
REPLICATES = 20
ARTICLES = 1_000
THRESHOLDS, RESAMPLING, READING = 1, 20, 1  # goals


class Peer(HTMLParser):
    """The labels and the body of each article, without any check."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, list[str]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "reuters":
            self.found.append({})

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        if len(self.open) > 1:
            self.found[-1].setdefault(self.open[-2] if self.open[-1] == "d" else self.open[-1], []).append(data)


def main() -> None:
    rng = np.random.default_rng(0)
    gold = rng.random((DOCUMENTS, LABELS)) < rng.random(LABELS) * 0.1
    gold[0] = True
    scores = np.clip(gold * 0.3 + rng.random((DOCUMENTS, LABELS)) * 0.7, 0, 1)
    print(f"{DOCUMENTS:,} documents, {LABELS} labels, one thread")
    np.testing.assert_allclose(best_thresholds(scores, gold), _curves(scores, gold))
    line(
        "a threshold for each label, against precision_recall_curve",
        *paired(lambda: best_thresholds(scores, gold), lambda: _curves(scores, gold)),
        THRESHOLDS,
    )
    predictions, weights = scores >= 0.5, draws(DOCUMENTS, REPLICATES)
    line(
        f"micro- and macro-F1 of {REPLICATES} resamples, against f1_score",
        *paired(
            lambda: multi_label_f1(gold, predictions, weights), lambda: _resampled(gold, predictions, weights), rounds=3
        ),
        RESAMPLING,
    )
    with tempfile.TemporaryDirectory() as name:
        text = "".join(_article(number, rng) for number in range(ARTICLES))
        (Path(name) / "reut2-000.sgm").write_text(text, encoding="latin-1")
        line(
            f"{ARTICLES:,} articles of SGML read and checked, against html.parser",
            *paired(lambda: list(read_reuters(name)), lambda: Peer().feed(text)),
            READING,
        )


def _curves(scores: np.ndarray, gold: np.ndarray) -> np.ndarray:
    best = []
    for label in range(gold.shape[1]):
        precision, recall, thresholds = precision_recall_curve(gold[:, label], scores[:, label])
        total = precision[:-1] + recall[:-1]
        f1 = np.divide(2 * precision[:-1] * recall[:-1], total, out=np.zeros(len(total)), where=total > 0)
        best.append(thresholds[np.flatnonzero(f1 >= f1.max() - 1e-12)[-1]])
    return np.array(best)


def _resampled(gold: np.ndarray, predictions: np.ndarray, weights: np.ndarray) -> list[tuple[float, float]]:
    rows = [np.repeat(np.arange(len(gold)), often) for often in weights]
    return [
        tuple(f1_score(gold[drawn], predictions[drawn], average=mean, zero_division=0) for mean in ("micro", "macro"))
        for drawn in rows
    ]


def _article(number: int, rng: np.random.Generator) -> str:
    words = " ".join(f"word{word}" for word in rng.integers(0, 5000, 140))
    lines = "\n".join(words[start : start + 60] for start in range(0, len(words), 60))
    return (
        f'<REUTERS TOPICS="YES" NEWID="{number}">\n<TOPICS><D>grain</D><D>trade</D></TOPICS>\n'
        f"<PLACES><D>usa</D></PLACES>\n<PEOPLE></PEOPLE>\n<ORGS></ORGS>\n<EXCHANGES></EXCHANGES>\n"
        f"<TEXT>&#2;\n<TITLE>A TITLE</TITLE>\n<BODY>{lines}\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n"
    )


if __name__ == "__main__":
    main()
