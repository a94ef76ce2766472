"""data/models/hcan -> data/evaluation/hcan: metrics, claims, figures, plots, and pages of attention."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.corpora.labelled.classified_texts import Texts, read_texts
from repline.evaluation.classification.classification_measures import confusion, read_probabilities, reliability
from repline.evaluation.classification.linear_peers import LINEAR as LINEAR_PEERS
from repline.evaluation.classification.scored_runs import counts, of_run
from repline.evaluation.classification.training import SCORES
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.files import new_folder
from repline.pretrained import pretrained
from repline.systems.hcan.attention_page import page, shaded
from repline.systems.hcan.evaluation import of_network, of_spread, word_spread
from repline.systems.hcan.model import HCAN
from repline.systems.hcan.settings import OURS, Settings, read
from stages import run
from stages.classifier_figures import figures, plots
from stages.conclusion import conclude
from stages.hcan.places import ATTENTION, LINEAR, NETWORKS, TEXTS

SPREAD = ("hcan", "han")  # whose attention to words is compared
NOTE = (
    "The weights of the target attentions, means over the heads: the bar beside a sentence is its weight, the "
    "shade of a word its weight in the sentence; full is three times an even weight. Words and sentences behind those "
    "that the network reads are left out."
)


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated, details = {}, {}
    with new_folder(ATTENTION) as pages:
        for name, corpus in settings.corpora.items():
            texts = read_texts(TEXTS / corpus.texts)
            runs = _runs(settings, name, texts)
            metrics[name] = {"documents": dict(counts(texts))} | {
                kind: {one: numbers(found) for one, found in classifiers.items()} for kind, classifiers in runs.items()
            }
            repeated[name] = side_by_side(
                **{
                    kind: side_by_side(**{one: replicates(found) for one, found in classifiers.items()})
                    for kind, classifiers in runs.items()
                }
            )
            if OURS in corpus.networks:
                folder = NETWORKS / name / OURS / f"seed-{corpus.seeds[0]}"
                (pages / f"{name}.html").write_text(_page(folder, name, texts, settings.shown), encoding="utf-8")
                test = read_probabilities(folder / SCORES)["test"]
                details[name] = (
                    texts.labels,
                    confusion(test, texts.gold["test"]),
                    reliability(test, texts.gold["test"]),
                )
    shown = figures(
        "hcan",
        "HCAN",
        metrics,
        details,
        accuracy="Networks are means over their seeds. NB and LR are on TF-IDF of unigrams and bigrams.",
        lengths="Words of a document; the networks read the beginning of long ones alone.",
    )
    conclude("hcan", metrics, shown, plots(metrics), side_by_side(**repeated))


def _runs(settings: Settings, name: str, texts: Texts) -> dict[str, dict[str, list[Any]]]:
    """By kind (networks, linear) and name of a classifier, what each of its runs reached."""
    corpus = settings.corpora[name]
    weights = weights_of(len(texts.gold["test"]))
    peers = settings.linear.get("peers", LINEAR_PEERS)
    return {
        "networks": {
            one: [_of_network(settings, name, one, seed, texts, weights) for seed in settings.seeds(one, name)]
            for one in corpus.networks
        },
        "linear": {one: [of_run(LINEAR / name / f"{one}.npz", texts, weights, corpus.edges)] for one in peers},
    }


def _of_network(settings: Settings, name: str, one: str, seed: int, texts: Texts, weights: NDArray) -> dict[str, Any]:
    """What one run reached, and for the networks in `SPREAD` how widely they look."""
    folder = NETWORKS / name / one / f"seed-{seed}"
    found = of_network(folder, texts, weights, settings.corpora[name].edges, settings.learned)
    if one in SPREAD:
        network = pretrained(settings.network(one, name)[0], folder)
        found |= of_spread(word_spread(network, texts.sentences["test"]), weights)
    return found


def _page(folder: Path, name: str, texts: Texts, number: int) -> str:
    """Documents of the test part, evenly spread over it."""
    test = range(len(texts.ids["test"]))
    places = [test[place] for place in np.linspace(0, len(test) - 1, min(number, len(test))).round().astype(int)]
    documents = [
        (texts.ids["test"][one], texts.labels[texts.gold["test"][one]], texts.sentences["test"][one]) for one in places
    ]
    return page(f"What HCAN looks at: {name}", NOTE, shaded(pretrained(HCAN, folder), documents))


if __name__ == "__main__":
    run(main)
