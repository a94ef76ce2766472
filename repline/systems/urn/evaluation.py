"""Accuracies of every variant on both tasks, tables of the matrices of the k-TURN, and their replicates."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.replication.bootstrap import merge_replicates, resampled_seeds
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.urn import dyck, rotation_tables
from repline.systems.urn.agreement.examples import Examples, VocabularyRow
from repline.systems.urn.closing_brackets import closing_accuracy, majority, predicted_closings
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.number_agreement import agreement_accuracy, word_tables
from repline.systems.urn.resampled_accuracy import accuracy_replicates, agreement_scores, closing_scores
from repline.systems.urn.settings import AgreementRecipe, DyckRecipe
from repline.systems.urn.training import after_start, character_losses

Models = Mapping[str, Sequence[Path]]  # by variant, the folder of each seed's model
CLASSES: dict[str, type[nn.Module]] = {
    "turn": URN,
    "full": URN,
    "arbitrary": UnconstrainedRecurrence,
    "lstm": LSTMReader,
}
BRACKETS = dict(zip(("round", "curly", "square", "angle", "sign"), dyck.KINDS, strict=True))
PREDICTION_BATCH = 1024  # examples


def evaluate_dyck(
    variants: Mapping[str, DyckRecipe], models: Models, train: NDArray[np.int64], test: NDArray[np.int64]
) -> Evaluation:
    """How well each variant and the majority close brackets, and tables of the matrices of `turn`.

    The same tables of networks that were not trained are the control, `turn.untrained`.

    Args:
        train, test: strings [N, L], symbols.

    Raises:
        InputError: a folder without a model, or with another one than its recipe says.
    """
    ids = torch.from_numpy(test)
    metrics: Metrics = {}
    scores = {}
    for variant, recipe in variants.items():
        networks = read_models(recipe, models[variant])
        with torch.inference_mode():
            logits = [network(after_start(ids)) for network in networks]
            losses = [character_losses(run_logits, ids).double().mean(1).numpy() for run_logits in logits]
        predictions = [predicted_closings(run_logits.numpy()) for run_logits in logits]
        scores[variant] = [
            closing_scores(predicted, test, loss) for predicted, loss in zip(predictions, losses, strict=True)
        ]
        metrics[variant] = closing_accuracy(predictions, test)
        metrics[variant] |= {"validation_loss": float(np.mean(losses)), "seeds": len(networks)}
        metrics[variant] |= {"train_loss": final_training_loss(models[variant])}
    turns = read_models(variants["turn"], models["turn"])
    tables = [rotation_tables.bracket_tables(turn.matrix, turn.phrase, BRACKETS, turn.k) for turn in turns]
    planes = [rotation_tables.plane_similarities(turn.matrix("("), turn.matrix("["), turn.k) for turn in turns]
    by_seed = [
        table | {"plane_similarity": {"round_square": similarities}}
        for table, similarities in zip(tables, planes, strict=True)
    ]
    metrics["turn"] |= mean_of_runs(tables) | {"plane_similarity": {"round_square": planes[0]}}  # of the first run
    untrained = [untrained_copy(turn, seed) for seed, turn in enumerate(turns)]
    metrics["turn"]["untrained"] = mean_of_runs(
        [
            rotation_tables.bracket_tables(copy.matrix, copy.phrase, BRACKETS, turn.k)
            for copy, turn in zip(untrained, turns, strict=True)
        ]
    )
    metrics["majority"] = closing_accuracy([majority(train, test)], test)
    return Evaluation(
        metrics, merge_replicates(accuracy_replicates(scores), resampled_seeds([{"turn": table} for table in by_seed]))
    )


def evaluate_agreement(
    variants: Mapping[str, AgreementRecipe],
    models: Models,
    train: Examples,
    test: Examples,
    vocabulary: Sequence[VocabularyRow],
    words: Iterable[str],
    nouns: Iterable[str],
) -> Evaluation:
    """How well each variant and the majority predict the number of a verb, and tables of the matrices of `turn`.

    Args:
        vocabulary: rows as of `repline.systems.urn.agreement.examples.read_vocabulary`.
        words: the words whose effects are measured.
        nouns: the nouns whose distances are measured.

    Raises:
        InputError: a folder without a model, or with another one than its recipe says.
    """
    plural, attractors = test.number.numpy(), test.attractors
    predictions = {"majority": [np.full(len(plural), int(train.number.float().mean() > 0.5))]}
    metrics: Metrics = {}
    for variant, recipe in variants.items():
        networks = read_models(recipe, models[variant])
        predictions[variant] = [predicted_numbers(network, test.ids, test.lengths) for network in networks]
        metrics[variant] = agreement_accuracy(predictions[variant], plural, attractors)
        metrics[variant] |= {"train_loss": final_training_loss(models[variant]), "seeds": len(networks)}
    metrics["majority"] = agreement_accuracy(predictions["majority"], plural, attractors)
    turns = read_models(variants["turn"], models["turn"])
    words, nouns = list(words), list(dict.fromkeys(nouns))
    tables = [word_tables(turn.matrix, vocabulary, words, nouns) for turn in turns]
    metrics["turn"] |= mean_of_runs(tables)
    scores = {
        variant: [agreement_scores(predicted, plural, attractors) for predicted in runs]
        for variant, runs in predictions.items()
    }
    return Evaluation(
        metrics, merge_replicates(accuracy_replicates(scores), resampled_seeds([{"turn": table} for table in tables]))
    )


def read_models(recipe: DyckRecipe | AgreementRecipe, folders: Sequence[Path]) -> list[Any]:
    """The trained models of one variant; InputError where one is missing, or was trained by another recipe."""
    return [pretrained(CLASSES[recipe.model], folder, recipe.record()) for folder in folders]


def untrained_copy(turn: URN, seed: int) -> URN:
    """A k-TURN of the same size and symbols with new weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return URN(turn.symbols, turn.classes, turn.n, turn.k).eval()


def final_training_loss(folders: Sequence[Path]) -> float:
    """The training loss of the last epoch, mean over the models in `folders`."""
    records = [json.loads((folder / "training.json").read_text(encoding="utf-8")) for folder in folders]
    return float(np.mean([record["history"][-1]["train_loss"] for record in records]))


def predicted_numbers(model: nn.Module, ids: Tensor, lengths: Tensor) -> NDArray[np.int64]:
    """The number of the verb behind each of N beginnings, 0 singular, 1 plural. ids [N, T], lengths [N] -> [N]."""
    parts = []
    with torch.inference_mode():
        for rows, row_lengths in zip(ids.split(PREDICTION_BATCH), lengths.split(PREDICTION_BATCH), strict=True):
            parts.append(model(rows[:, : int(row_lengths.max())], row_lengths).argmax(-1))
    return torch.cat(parts).numpy()
