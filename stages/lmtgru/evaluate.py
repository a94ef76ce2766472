"""data/models/lmtgru -> data/evaluation/lmtgru: metrics, claims, figures, plots."""

from typing import Any

from repline.evaluation.classification.classification_measures import confusion, read_probabilities, reliability
from repline.evaluation.classification.linear_peers import LINEAR as LINEAR_PEERS
from repline.evaluation.classification.scored_runs import of_run
from repline.evaluation.classification.training import SCORES
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.systems.lmtgru.evaluation import counts, of_network
from repline.systems.lmtgru.settings import Settings, read
from stages import run
from stages.classifier_figures import Detail, figures, plots
from stages.conclusion import conclude
from stages.lmtgru.folds import folds
from stages.lmtgru.places import LINEAR, NETWORKS

WHOLE = "cnn_lmtgru"  # the network whose confusion is shown


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated, details = {}, {}
    for name, corpus in settings.corpora.items():
        runs, sizes = _runs(settings, name)
        metrics[name] = {"documents": sizes} | {
            kind: {one: numbers(found) for one, found in classifiers.items()} for kind, classifiers in runs.items()
        }
        repeated[name] = side_by_side(
            **{
                kind: side_by_side(**{one: replicates(found) for one, found in classifiers.items()})
                for kind, classifiers in runs.items()
            }
        )
        if WHOLE in corpus.networks:
            details[name] = _details(settings, name)
    shown = figures(
        "lmtgru",
        "CNN-LMTGRU",
        metrics,
        details,
        accuracy="Networks are means over their seeds and folds. NB and LR are on TF-IDF of n-grams.",
        lengths="Words of a text (the paper's figure 4, which has no numbers).",
    )
    conclude("lmtgru", metrics, shown, plots(metrics), side_by_side(**repeated))


def _runs(settings: Settings, name: str) -> tuple[dict[str, dict[str, list[Any]]], dict[str, Any]]:
    """By kind (networks, linear) and name of a classifier what each run reached; and the first fold's counts."""
    corpus = settings.corpora[name]
    peers = settings.linear.get("peers", LINEAR_PEERS)
    runs: dict[str, dict[str, list[Any]]] = {
        "networks": {one: [] for one in corpus.networks},
        "linear": {one: [] for one in peers},
    }
    sizes: dict[str, Any] = {}
    for fold, texts in folds(settings, name):
        weights = weights_of(len(texts.gold["test"]))
        sizes = sizes or counts(texts)
        for one in corpus.networks:
            for seed in settings.seeds(one, name):
                folder = NETWORKS / name / one / fold / f"seed-{seed}"
                runs["networks"][one].append(of_network(folder, texts, weights, corpus.edges))
        for one in peers:
            path = LINEAR / name / fold / f"{one}.npz"
            runs["linear"][one].append(of_run(path, texts, weights, corpus.edges))
    return runs, sizes


def _details(settings: Settings, name: str) -> Detail:
    """Labels, confusion and reliability of the whole network, first fold and seed."""
    fold, texts = next(folds(settings, name))
    folder = NETWORKS / name / WHOLE / fold / f"seed-{settings.corpora[name].seeds[0]}"
    test, gold = read_probabilities(folder / SCORES)["test"], texts.gold["test"]
    return texts.labels, confusion(test, gold), reliability(test, gold)


if __name__ == "__main__":
    run(main)
