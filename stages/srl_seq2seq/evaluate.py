"""data/models/srl_seq2seq -> data/evaluation/srl_seq2seq: metrics, claims, figures, plots."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.evaluation.replication.bootstrap import side_by_side
from repline.systems.srl_seq2seq.baselines import frequent_label, noun_chunks
from repline.systems.srl_seq2seq.corpus import Data, read_data
from repline.systems.srl_seq2seq.evaluation import Measured, confusion, measured
from repline.systems.srl_seq2seq.settings import Settings, Source, read, seeds, source
from repline.systems.srl_seq2seq.training import PLAIN, read_outputs
from stages import run
from stages.conclusion import conclude
from stages.srl_seq2seq import figures
from stages.srl_seq2seq.places import CORPORA, MODELS


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated: dict[str, list[dict[str, Any]]] = {}
    confusions: dict[str, list[dict[str, Any]]] = {}
    for corpus in settings.corpora:
        own, data = source(settings, corpus), read_data(CORPORA / corpus)
        outputs = _outputs(settings, corpus)
        found = {name: _measured(data, runs, own) for name, runs in outputs.items()}
        baselines = {name: _measured(data, [one], own) for name, one in _baselines(data, own).items()}
        metrics[corpus] = {name: one.values for name, one in found.items()}
        metrics[corpus]["baselines"] = {name: one.values for name, one in baselines.items()}
        metrics[corpus]["data"] = read_card(CORPORA / corpus)["counts"]
        repeated[corpus] = side_by_side(
            **{name: one.replicates for name, one in found.items()},
            baselines=side_by_side(**{name: one.replicates for name, one in baselines.items()}),
        )
        first = next(iter(outputs))
        confusions[corpus] = confusion(data.instances["test"], outputs[first][0], own.shown)
        for name, one in metrics[corpus].items():
            if name not in ("baselines", "data"):
                print(
                    f"{corpus}, {name}: as long as the source {one['same_length']:.1f} %, F1 {one['f1_min']:.1f} to "
                    f"{one['f1_max']:.1f}",
                    flush=True,
                )
    conclude(
        "srl_seq2seq",
        metrics,
        figures.figures(metrics, confusions),
        figures.plots(metrics, confusions),
        side_by_side(**repeated),
    )


def _outputs(settings: Settings, corpus: str) -> dict[str, list[list[list[str]]]]:
    """By variant, with the name of the decoding behind it where it is not the plain one: the outputs of each seed."""
    found: dict[str, list[list[list[str]]]] = {}
    for variant in settings.variants:
        for seed in seeds(settings, corpus, variant):
            folder: Path = MODELS / corpus / variant / f"seed-{seed}"
            for way, those in read_outputs(folder).items():
                found.setdefault(variant if way == PLAIN else f"{variant}_{way}", []).append(those)
    return found


def _baselines(data: Data, own: Source) -> dict[str, list[list[str]]]:
    test = data.instances["test"]
    found = {"frequent_label": frequent_label(data.instances["train"], test)}
    if all(one.tags is not None for one in test):
        found["noun_chunks"] = noun_chunks(test, own.agent, own.patient)
    return found


def _measured(data: Data, runs: Sequence[list[list[str]]], own: Source) -> Measured:
    return measured(data.instances["test"], runs, own.ranges, own.shown)


if __name__ == "__main__":
    run(main)
