"""data/models/tpgn, captions -> data/evaluation/tpgn: metrics, claims, figures, plots."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.corpora.captions.caption_corpus import read_captions
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.parameters import arguments
from repline.pretrained import pretrained
from repline.systems.tpgn import evaluation
from repline.systems.tpgn.corpus import Prepared, prepare, sentences
from repline.systems.tpgn.model import TPGN, CaptionLSTM
from repline.systems.tpgn.settings import COMPARED, Settings, read
from repline.systems.tpgn.training import REGIMES
from stages import run
from stages.conclusion import conclude
from stages.tpgn import figures
from stages.tpgn.places import MODELS

KINDS = {"tpgn": TPGN, "lstm": CaptionLSTM}


def main() -> None:
    settings = read()
    place = Path("data") / settings.captions
    data = prepare(read_captions(place), settings.minimum_count, settings.longest)
    test = data.parts["test"]
    weights = weights_of(len(test.names))
    metrics: dict[str, Any] = {"captions": read_card(place)["counts"] | {"vocabulary": len(data.vocabulary)}}
    constant = [evaluation.scores([evaluation.commonest_caption(data.parts["train"])] * len(test.names),
                                  test.targets(), weights)]  # fmt: skip
    groups, shown = {"constant": constant}, {}
    for name in settings.models:
        runs, records, examples = [], [], None
        for seed in settings.seeds:
            found, record, first = _run(settings, data, name, seed, weights, keep=seed == settings.seeds[0])
            runs.append(found)
            records.append(record)
            examples = examples or first
        groups[name], shown[name] = runs, examples
        metrics[name] = numbers(runs) | mean_of_runs(records)
        print(f"{name}: {figures.summary(metrics[name])}", flush=True)
    metrics["constant"] = numbers(constant)
    groups["early"] = [
        _lead(*(groups[name][place]["early"] for name in COMPARED)) for place in range(len(settings.seeds))
    ]
    metrics["early"] = numbers(groups["early"])
    repeated = side_by_side(**{name: replicates(runs) for name, runs in groups.items()})
    drawn = figures.figures(metrics, shown, list(settings.models))
    conclude("tpgn", metrics, drawn, figures.plots(metrics, shown, test.names), repeated)


def _run(
    settings: Settings, data: Prepared, name: str, seed: int, weights: np.ndarray, keep: bool
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """What one training reached, [1 + R] each; numbers of its record; and, to `keep`, what figures show of it."""
    folder = MODELS / name / f"seed-{seed}"
    record = json.loads((folder / "stopped" / "training.json").read_text(encoding="utf-8"))
    curve = np.exp([epoch["validation_loss"] for epoch in record["history"]])
    fixed = settings.training.fixed_epochs
    one = np.ones(len(weights))
    found: dict[str, Any] = {
        "early": {f"epoch_{number}": one * value for number, value in enumerate(curve[:fixed], start=1)},
        "perplexity": {"fixed": one * curve[fixed - 1], "stopped": one * curve.min()},
    }
    network = settings.models[name]
    trained_with = {"seed": seed, "words": len(data.vocabulary), "features": data.features.shape[1]}
    trained_with |= network.model_dump()
    decoding, longest = arguments(settings.decoding), settings.longest
    for regime in REGIMES:
        model = pretrained(KINDS[network.kind], folder / regime, trained_with)
        found[regime], captions = evaluation.written(model, data, weights, longest=longest, **decoding)
    knobs = arguments(settings.analysis)
    # of the model that was best on dev, which came last
    vectors = evaluation.examined(model, data, captions, weights, longest=longest, **knobs)
    found["vectors"] = vectors.measured
    numbers_of = {"parameters": record["parameters"], "best_epoch": int(curve.argmin()) + 1, "epochs": len(curve)}
    if not keep:
        return found, numbers_of, None
    written = [" ".join(words) for words in sentences(captions, data.vocabulary)]
    return found, numbers_of, {"words": vectors.words, "ten": vectors.ten, "captions": written, "curve": curve.tolist()}


def _lead(ours: dict[str, Any], peer: dict[str, Any]) -> dict[str, np.ndarray]:
    """By how much our perplexity is below the peer's where it is least so, over the epochs of the fixed regime."""
    leads = np.stack([peer[epoch] - ours[epoch] for epoch in ours])
    return {"smallest_lead": leads.min(0), "largest_lead": leads.max(0)}


if __name__ == "__main__":
    run(main)
