"""Accuracies by length on both tasks and perplexities, of every variant, with their replicates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.grouped_accuracy import accuracy_by
from repline.evaluation.replication.bootstrap import merge_replicates
from repline.pretrained import pretrained
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.language_model_training import stream_perplexity
from repline.systems.rrnet.model import operation_shares
from repline.systems.rrnet.resampled_scores import accuracies, accuracies_by_length, perplexities
from repline.systems.rrnet.settings import ExpressionRecipe, LanguageModelRecipe, Recipe, RelationRecipe
from repline.systems.rrnet.tasks import ExpressionEvaluator, RelationClassifier
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors
from repline.training.convergence import not_converged
from repline.training.history import read_record

TRAINING_EXPRESSIONS = 2000  # whose values are read off

PREDICTION_BATCH = 1000  # sequences

Models = Mapping[str, Sequence[Path]]  # by variant, the folder of each seed's run


def evaluate_expressions(
    variants: Mapping[str, ExpressionRecipe], models: Models, corpus: Path, lengths: Sequence[int]
) -> Evaluation:
    """Accuracy of each variant on the values of expressions, by length, and that of the most frequent training value.

    Args:
        corpus: the folder of `repline.systems.rrnet.math_expressions.generate`.
        lengths: of the test expressions.

    Raises:
        InputError: a folder without a model, or with another one than its recipe says.
    """
    measured = {
        variant: evaluate_evaluators(recipe, models[variant], corpus, lengths) for variant, recipe in variants.items()
    }
    evaluation = Evaluation.side_by_side(measured)
    trained_lengths = next(iter(variants.values())).lengths
    majority = majority_of_expressions(corpus, trained_lengths, lengths)
    unfinished = not_converged(_last_models(variants, models))
    return Evaluation(evaluation.metrics | {"majority": majority}, evaluation.replicates, not_converged=unfinished)


def evaluate_relations(variants: Mapping[str, RelationRecipe], models: Models, corpus: Path) -> Evaluation:
    """Accuracy of each variant on relations, by length, and that of the most frequent training relation.

    Args:
        corpus: the folder of `repline.systems.rrnet.propositional_logic.generate`.

    Raises:
        InputError: as in `evaluate_expressions`.
    """
    measured = {variant: evaluate_classifiers(recipe, models[variant], corpus) for variant, recipe in variants.items()}
    evaluation = Evaluation.side_by_side(measured)
    metrics = evaluation.metrics | {"majority": majority_of_relations(corpus)}
    return Evaluation(metrics, evaluation.replicates, not_converged=not_converged(_last_models(variants, models)))


def evaluate_language_models(variants: Mapping[str, LanguageModelRecipe], models: Models, corpus: Path) -> Evaluation:
    """The test perplexity of each variant.

    Args:
        corpus: the folder of `repline.corpora.language_modeling.corpus.build`.

    Raises:
        InputError: as in `evaluate_expressions`, or a model of other words than the corpus has.
    """
    evaluation = Evaluation.side_by_side(
        {variant: evaluate_language_model(recipe, models[variant], corpus) for variant, recipe in variants.items()}
    )
    return replace(evaluation, not_converged=not_converged(models))


def evaluate_evaluators(
    recipe: ExpressionRecipe, runs: Sequence[Path], corpus: Path, lengths: Sequence[int]
) -> Evaluation:
    """Exact matches by length, of the models after every number of epochs; runs are pooled."""
    tests = [(length, expression_tensors(corpus / "test.parquet", [length])) for length in lengths]
    train = expression_tensors(corpus / "train.parquet", recipe.lengths, recipe.expressions)
    step = max(len(train[0]) // TRAINING_EXPRESSIONS, 1)
    groups = np.concatenate([np.full(len(values), length) for length, (_, _, values) in tests])  # [N]
    by_epochs: dict[str, Evaluation] = {}
    for epochs in recipe.epochs:
        correct, trained, operations = [], [], []
        for model in _models(ExpressionEvaluator, recipe, [run / f"after-{epochs}" for run in runs]):
            answers = [right_values(model, *tensors) for _, tensors in tests]
            correct.append(np.concatenate([is_correct for is_correct, _ in answers]))
            operations += [batch for _, test_batches in answers for batch in test_batches]
            trained.append(right_values(model, *(tensor[::step] for tensor in train))[0])
        metrics: Metrics = accuracy_by(np.concatenate(correct), np.tile(groups, len(runs)), "length")
        metrics |= {"train_accuracy": float(np.mean(trained)), "seeds": len(runs)}
        metrics["runs"] = {
            run.name.replace("-", "_"): accuracy_by(is_correct, groups, "length")["accuracy_by_length"]
            for run, is_correct in zip(runs, correct, strict=True)
        }
        if operations:
            metrics["operations"] = operation_shares(operations)
        replicates = merge_replicates(accuracies_by_length(correct, groups), accuracies(trained, "train_accuracy"))
        by_epochs[f"after_{epochs}"] = Evaluation(metrics, replicates)
    last = by_epochs[f"after_{recipe.epochs[-1]}"]
    every = Evaluation.side_by_side(by_epochs)
    return Evaluation(
        every.metrics | last.metrics | _training_metrics([run / f"after-{recipe.epochs[-1]}" for run in runs]),
        merge_replicates(last.replicates, every.replicates),
    )


def evaluate_classifiers(recipe: RelationRecipe, runs: Sequence[Path], corpus: Path) -> Evaluation:
    """Accuracy by length, of the models after the last number of epochs; runs are pooled."""
    ids, words, relations, lengths = relation_tensors(corpus / "test.parquet")
    folders = [run / f"after-{recipe.epochs[-1]}" for run in runs]
    correct = [
        (predicted_relations(model, ids, words) == relations).numpy()
        for model in _models(RelationClassifier, recipe, folders)
    ]
    metrics: Metrics = accuracy_by(np.concatenate(correct), np.tile(lengths.numpy(), len(runs)), "length")
    seen = lengths.numpy() <= recipe.longest
    pooled = np.stack(correct)
    metrics |= {
        "accuracy_of_seen_lengths": float(pooled[:, seen].mean()),
        "accuracy_of_longer": float(pooled[:, ~seen].mean()),
        "seeds": len(runs),
    } | _training_metrics(folders)
    return Evaluation(metrics, accuracies_by_length(correct, lengths.numpy()))


def evaluate_language_model(recipe: LanguageModelRecipe, runs: Sequence[Path], corpus: Path) -> Evaluation:
    """Perplexity, the state carried over the whole stream; the mean over runs."""
    view = LanguageModelingCorpus.load(corpus, recipe.vocabulary)
    models = _models(RRNetLanguageModel, recipe, runs)
    for model, folder in zip(models, runs, strict=True):
        if model.words != view.words:
            raise InputError(f"{folder}: its words are not those of {view.folder}; train it again")
    records = [read_record(folder) for folder in runs]
    measured = [stream_perplexity(model, view, "test", batch=recipe.batch, steps=recipe.steps) for model in models]
    metrics: Metrics = {
        "parameters": records[0]["parameters"],
        "seeds": len(runs),
        "perplexity": float(np.mean([perplexity for perplexity, _, _ in measured])),
        "validation_loss": float(np.mean([record["history"][-1]["validation_loss"] for record in records])),
        "epochs": len(records[0]["history"]),
    }
    shares = [run_shares for _, run_shares, _ in measured if run_shares is not None]
    if shares:
        metrics["operations"] = {
            name: float(np.mean([run_shares[name] for run_shares in shares])) for name in shares[0]
        }
    return Evaluation(metrics, perplexities([pieces for _, _, pieces in measured]))


def right_values(
    model: ExpressionEvaluator, ids: Tensor, lengths: Tensor, values: Tensor
) -> tuple[NDArray[np.bool_], list[Tensor]]:
    """Whether the value that is read off each expression is right, and the operations that were executed.

    Args:
        ids: [N, T].
        lengths: [N], characters.
        values: [N].

    Returns:
        [N], and [B, K] of each batch; none for an encoder without operations.
    """
    is_correct, operations = torch.empty(len(ids), dtype=torch.bool), []
    for rows in batches_of_similar_length(lengths):
        longest = int(lengths[rows].max())
        predicted, encoding = model.predict(ids[rows, :longest], lengths[rows])
        is_correct[rows] = predicted == values[rows]
        operations += [] if encoding.operations is None else [encoding.operations]
    return is_correct.numpy(), operations


def predicted_relations(model: RelationClassifier, ids: Tensor, words: Tensor) -> Tensor:
    """The most probable relation of each pair of formulas. ids [N, 2, T], words [N, 2] -> [N]."""
    predicted = torch.empty(len(ids), dtype=torch.int64)
    with torch.inference_mode():
        for rows in batches_of_similar_length(words.amax(1)):
            predicted[rows] = model(ids[rows], words[rows])[0].argmax(1)
    return predicted


def batches_of_similar_length(lengths: Tensor) -> Iterator[Tensor]:
    """Numbers of rows, those of similar length together. lengths [N] -> [B] each."""
    yield from lengths.argsort(stable=True).split(PREDICTION_BATCH)


def majority_of_expressions(
    corpus: Path, trained_lengths: Sequence[int], lengths: Sequence[int]
) -> dict[str, list[float | None]]:
    """Accuracy by length of the most frequent value of the training expressions."""
    commonest = int(torch.bincount(expression_tensors(corpus / "train.parquet", trained_lengths)[2]).argmax())
    correct, groups = [], []
    for length in lengths:
        values = expression_tensors(corpus / "test.parquet", [length])[2].numpy()
        correct.append(values == commonest)
        groups.append(np.full(len(values), length))
    return accuracy_by(np.concatenate(correct), np.concatenate(groups), "length")


def majority_of_relations(corpus: Path) -> dict[str, list[float | None]]:
    """Accuracy by length of the most frequent relation of the training pairs."""
    commonest = int(torch.bincount(relation_tensors(corpus / "train.parquet")[2]).argmax())
    _, _, relations, lengths = relation_tensors(corpus / "test.parquet")
    return accuracy_by((relations == commonest).numpy(), lengths.numpy(), "length")


def _last_models(
    variants: Mapping[str, ExpressionRecipe] | Mapping[str, RelationRecipe], models: Models
) -> dict[str, list[Path]]:
    """By variant, the folders of each seed's model after the last number of epochs."""
    return {
        variant: [run / f"after-{recipe.epochs[-1]}" for run in models[variant]] for variant, recipe in variants.items()
    }


def _models(kind: Any, recipe: Recipe, folders: Sequence[Path]) -> list[Any]:
    """The models of the runs, trained by `recipe`."""
    # without the numbers of epochs: each model is of one of them
    recipe_record = {key: value for key, value in recipe.record().items() if key != "epochs"}
    return [pretrained(kind, folder, recipe_record) for folder in folders]


def _training_metrics(folders: Sequence[Path]) -> Metrics:
    """The number of parameters, and the training loss of the last epoch, mean over runs."""
    records = [read_record(folder) for folder in folders]
    losses = [record["history"][-1]["train_loss"] for record in records]
    return {"parameters": records[0]["parameters"], "train_loss": float(np.mean(losses))}
