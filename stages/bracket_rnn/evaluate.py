"""data/models/bracket_rnn, data/corpora -> data/evaluation/bracket_rnn: metrics, claims, plots, figures."""

import json
import math
from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.bracket_rnn import settings
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.resampled_perplexity import Splits, perplexity_replicates, text_likelihoods
from repline.systems.bracket_rnn.settings import Settings
from repline.systems.bracket_rnn.training import open_corpus, parameters_of, train_bracket_rnn
from stages import run
from stages.bracket_rnn import figures
from stages.conclusion import conclude

MODELS = Path("data/models/bracket_rnn")
CONSTITUENTS = Path("data/corpora/optional_constituents")


def main() -> None:
    chosen = settings.load()
    runs = settings.trainings(chosen, train_bracket_rnn)
    measured = {name: evaluate(run, chosen) for name, run in runs.items()}
    metrics: dict[str, Any] = {name: numbers for name, (numbers, _) in measured.items()}
    counts = read_card(CONSTITUENTS)["counts"]
    counts["train_pairs_per_sentence"] = counts["train_pairs"] / counts["train_sentences"]
    metrics["constituents"] = {chosen.constituents.scheme: counts}
    repeated = side_by_side(**{name: perplexity_replicates(rows) for name, (_, rows) in measured.items()})
    conclude("bracket_rnn", metrics, figures.figures(metrics), figures.plots(metrics), repeated)


def evaluate(run: dict[str, Any], chosen: Settings) -> tuple[dict[str, Any], list[Splits]]:
    """The measures of one run, the mean over its seeds; and of each seed the likelihoods of the sentences."""
    corpus = Path("data") / chosen.corpus
    results, by_sentence = [], []
    for seed in chosen.seeds:
        folder = MODELS / run["name"] / f"seed-{seed}"
        text = open_corpus(corpus, CONSTITUENTS, run)
        model = load(folder, run, len(text))
        record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
        splits = {split: text_likelihoods(model, text, split, run) for split in ("validation", "test")}
        found: dict[str, Any] = {"parameters": parameters_of(model), "predict": int(run.get("predict", False))}
        for split, (words, kinds) in splits.items():
            only_words, symbols = words.total(), kinds.total()
            joint = only_words.jointly(symbols) if symbols.words else only_words
            found[split] = {"perplexity": only_words.perplexity, "joint": joint.perplexity, "words": only_words.words}
            found[split] |= {"brackets": max(symbols.words - only_words.words, 0)}
        found["by_epoch"] = by_epoch(record["history"], found["validation"], run)
        results.append(found)
        by_sentence.append(splits)
    return mean_of_runs(results), by_sentence


def load(folder: Path, run: dict[str, Any], vocabulary: int) -> AWDLSTM:
    """A model of the run; InputError if the folder holds one of another configuration."""
    model = pretrained(AWDLSTM if run["variant"] == "lstm" else BracketRNN, folder, run)
    if model.vocabulary != vocabulary:
        raise InputError(
            f"{folder}: the model has {model.vocabulary:,} words, and the corpus has {vocabulary:,}; train it again"
        )
    return model


def by_epoch(history: list[dict[str, float]], validation: dict[str, float], run: dict[str, Any]) -> list[float]:
    """Validation perplexity per word after each epoch: the joint one where brackets are predicted, else given them.

    A loss is a mean over all that is predicted, words and brackets, and a perplexity is per word.
    """
    predicted = validation["words"] + (validation["brackets"] if run.get("predict") else 0)
    return [math.exp(min(record["validation_loss"] * predicted / validation["words"], 700)) for record in history]


if __name__ == "__main__":
    run(main)
