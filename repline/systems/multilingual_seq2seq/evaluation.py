"""Both tests of an encoder item by item, and from the items the numbers of all runs and their replicates."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import bootstrap, together
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.documents import (
    MARKS,
    Cut,
    Embed,
    Gather,
    classify,
    document_vectors,
    labelled_documents,
)
from repline.systems.multilingual_seq2seq.retrieval import Right, averages, translations_found
from repline.systems.multilingual_seq2seq.splits import part_of

WAYS: dict[str, tuple[Cut, Gather]] = {
    "texts_mean": ("texts", "mean"),
    "punctuation_mean": ("punctuation", "mean"),
    "punctuation_max": ("punctuation", "max"),
    "windows_mean": ("windows", "mean"),
    "windows_max": ("windows", "max"),
}
USUAL = ("texts_mean",)

Path = tuple[str, ...]
Items = dict[Path, NDArray[np.bool_]]  # by the path in metrics.json whose mean they are: which are right, [N]


def measured(embed: Embed, data: Data, penalties: Sequence[float], ways: Sequence[str] = USUAL) -> Items:
    """What an encoder gets right.

    Args:
        embed: sentences to vectors.
        penalties: of the classifier, see `classify`.
        ways: of `WAYS`, to make a vector of a document; without any, documents are not classified.

    Returns:
        retrieval.SET.A.B, distinct.SET.A.B (without texts that occurred before), and for each collection of documents
        transfer.COLLECTION.WAY.zero_shot.A.B, .targeted.A.B and .one_out.B: of classes learned in A, asked in B.
    """
    found: Items = {}
    for name, texts in data.sets.items():
        if part_of(name) not in (None, ("own", "test")):
            continue
        kept = np.flatnonzero(texts.learned)
        vectors = {key: embed([ids[row] for row in kept]) for key, ids in texts.ids.items()}
        once = np.isin(kept, texts.distinct)
        for kind, rows in (("retrieval", np.ones(len(kept), bool)), ("distinct", once)):
            right = translations_found({key: one[rows] for key, one in vectors.items()})
            found |= _table((kind, name.replace("/", "_")), right)
    marks = {number for number, word in enumerate(data.words) if word in MARKS}
    for collection, parts in labelled_documents(data).items() if ways else ():
        labels = {part: {key: one.labels for key, one in own.items()} for part, own in parts.items()}
        for cut in dict.fromkeys(WAYS[way][0] for way in ways):
            own_ways = {way: WAYS[way][1] for way in ways if WAYS[way][0] == cut}
            vectors = {
                part: {key: document_vectors(one, cut, [*own_ways.values()], embed, marks) for key, one in own.items()}
                for part, own in parts.items()
            }
            for way, gather in own_ways.items():
                chosen = {part: {key: one[gather] for key, one in own.items()} for part, own in vectors.items()}
                right = classify(chosen, labels, penalties)
                at = ("transfer", collection, way)
                for kind, table in (("zero_shot", right.zero_shot), ("targeted", right.targeted)):
                    found |= {
                        (*at, kind, one, other): hits for one, row in table.items() for other, hits in row.items()
                    }
                found |= {(*at, "one_out", other): hits for other, hits in right.one_out.items()}
    return found


def accuracies(runs: Sequence[Items]) -> dict[str, Any]:
    """The means over runs and items, nested, with the averages of each table languages x languages."""
    return mean_of_runs([_nested({path: float(right.mean()) for path, right in run.items()}) for run in runs])


def resampled(runs: Sequence[Items]) -> list[dict[str, Any]]:
    """Replicates of `accuracies`: runs and items are drawn anew, the same ones for all numbers of as many items."""
    sizes = sorted({len(right) for right in runs[0].values()})
    groups = []
    for size in sizes:
        own = [{path: right for path, right in run.items() if len(right) == size} for run in runs]

        def measure(run: Items, items: NDArray[np.integer]) -> dict[str, Any]:
            return _nested({path: float(right[items].mean()) for path, right in run.items()})

        groups.append(bootstrap(measure, own, items=size))
    return together(*groups)


def most_frequent(data: Data) -> dict[str, dict[str, float]]:
    """A control: by collection of documents and language, the share of the most frequent label of training in test."""
    found: dict[str, dict[str, float]] = {}
    for collection, parts in labelled_documents(data).items():
        found[collection] = {}
        for language, documents in parts["test"].items():
            learned = parts["train"][language].labels
            label = max(sorted(set(learned)), key=learned.count)
            found[collection][language] = float(np.mean([one == label for one in documents.labels]))
    return found


def _table(at: Path, table: Right) -> Items:
    return {(*at, one, other): hits for one, row in table.items() for other, hits in row.items()}


def _nested(values: Mapping[Path, float]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, value in values.items():
        at = tree
        for step in path[:-1]:
            at = at.setdefault(step, {})
        at[path[-1]] = value
    for path in {path[:-2] for path in values if path[-2] != "one_out"}:
        at = tree
        for step in path:
            at = at[step]
        at |= averages({one: dict(row) for one, row in at.items()})
    for path in {path[:-1] for path in values if path[-2] == "one_out"}:
        at = tree
        for step in path:
            at = at[step]
        at["mean"] = float(np.mean(list(at.values())))
    return tree
