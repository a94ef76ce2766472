"""data/models/complex_embedding -> data/evaluation/complex_embedding: metrics, claims, figures, plots."""

from typing import Any

import numpy as np

from repline.corpora.labelled.classified_texts import Texts, read_texts
from repline.evaluation.classification.linear_peers import LINEAR as LINEAR_PEERS
from repline.evaluation.classification.scored_runs import counts, of_run, run_probabilities
from repline.evaluation.classification.training import SCORES
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.mcnemar import mcnemar
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.pretrained import pretrained
from repline.systems.complex_embedding.evaluation import exact_measures
from repline.systems.complex_embedding.model import BagOfStates
from repline.systems.complex_embedding.settings import BASELINE, Settings, read
from stages import run
from stages.complex_embedding import figures
from stages.complex_embedding.places import LINEAR, NETWORKS, TEXTS
from stages.conclusion import conclude


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated = {}
    for name, corpus in settings.corpora.items():
        texts = read_texts(TEXTS / corpus.texts)
        runs = _runs(settings, name, texts)
        measured = {kind: {one: numbers(found) for one, found in group.items()} for kind, group in runs.items()}
        metrics[name] = {"documents": dict(counts(texts))} | measured | {"exact": _exact(settings, name, texts)}
        repeated[name] = side_by_side(
            **{
                kind: side_by_side(**{one: replicates(found) for one, found in group.items()})
                for kind, group in runs.items()
                if group
            }
        )
    conclude("complex_embedding", metrics, figures.figures(metrics), figures.plots(metrics), side_by_side(**repeated))


def _runs(settings: Settings, name: str, texts: Texts) -> dict[str, dict[str, list[Any]]]:
    """By kind (networks, linear, mcnemar) and name of a classifier, what each of its runs reached.

    `mcnemar` has the `p` of each network beside the real one of the same seed.
    """
    corpus = settings.corpora[name]
    weights = weights_of(len(texts.gold["test"]))
    networks = {
        one: [NETWORKS / name / one / f"seed-{seed}" / SCORES for seed in settings.seeds(one, name)]
        for one in corpus.networks
    }
    linear = {one: [LINEAR / name / f"{one}.npz"] for one in settings.linear.get("peers", LINEAR_PEERS)}
    gold = texts.gold["test"]
    right = {
        one: [np.asarray(run_probabilities(path, texts).argmax(axis=1) == gold) for path in paths]
        for one, paths in networks.items()
    }
    return {
        kind: {one: [of_run(path, texts, weights, corpus.edges) for path in paths] for one, paths in group.items()}
        for kind, group in (("networks", networks), ("linear", linear))
    } | {
        "mcnemar": {
            one: [{"p": np.full(len(weights), mcnemar(*pair))} for pair in zip(answers, right[BASELINE], strict=False)]
            for one, answers in right.items()
            if one != BASELINE and BASELINE in right
        }
    }


def _exact(settings: Settings, name: str, texts: Texts) -> dict[str, Any]:
    """What holds exactly of the networks of the first seed, by name."""
    corpus = settings.corpora[name]
    found = {}
    for one in corpus.networks:
        kind = settings.network(one)[0]
        if issubclass(kind, BagOfStates):
            network = pretrained(kind, NETWORKS / name / one / f"seed-{corpus.seeds[0]}")
            found[one] = exact_measures(network, texts.sentences["test"])
    return found


if __name__ == "__main__":
    run(main)
