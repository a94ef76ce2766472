"""Train RRNet and its baselines on expressions and on formulas.

The loss of a task comes by back-propagation through the operations that were done. A learned policy adds that of
REINFORCE, with the reward 1 for a right answer; an imitated one the cross-entropy of the brackets' operations.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Adam

from repline.errors import InputError
from repline.files import new_folder
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.policy_gradient import policy_gradient_loss
from repline.systems.rrnet.tasks import Encoding, ExpressionEvaluator, Kind, RelationClassifier
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors
from repline.training.batches import batches
from repline.training.fit import fingerprint, fit, save_trained

TOGETHER = 16  # batches in a turn of the loop
Baseline = Literal["mean", "value"]
Loss = Callable[[nn.Module, tuple[Tensor, ...]], Tensor]


def train_expressions(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    encoder: Kind,
    lengths: list[int],
    expressions: int | None = None,
    embedding: int,
    units: int,
    learning_rate: float,
    batch: int,
    epochs: list[int],
    gradient_clip: float | None,
    patience: int | None = None,
    memory: Literal["merge", "carry"] = "merge",
    most: int = 0,
    baseline: Baseline = "value",
    policy_weight: float = 1.0,
    entropy_weight: float = 0.02,
    baseline_weight: float = 0.1,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int = 1,
    strategy: str = "auto",
) -> Path:
    """Train one evaluator of expressions, and save it into `folder`/after-<n> for every number n of epochs.

    Args:
        corpus: the folder of `repline.systems.rrnet.math_expressions.generate`.
        folder: replaces what was there.
        scratch: for checkpoints.
        name: of the variant, for messages.
        seed: of the weights, the order of the batches, the drawn operations.
        encoder: of `repline.systems.rrnet.tasks`.
        lengths: of the expressions trained on.
        expressions: of each length; None for all.
        embedding, units: sizes.
        epochs: ascending; a model is kept after each of these numbers.
        gradient_clip: largest norm.
        patience: epochs without a better accuracy on the validation expressions before training stops; None: all.
        memory, most: of `repline.systems.rrnet.model.RRNet`.
        baseline: of REINFORCE, the batch's mean reward or what a layer expects from h.
        policy_weight, entropy_weight, baseline_weight: of the losses beside the task's.
        threads, accelerator, devices, strategy: of `repline.training.fit`.

    Returns:
        The folder of checkpoints, for the caller to remove.

    Raises:
        InputError: a length that the corpus lacks, fewer expressions than asked for, or epochs that do not ascend.

    Source: Jacob et al. 2018, section 3.1.
    """
    settings = _settings(locals())
    symbols = list(math_expressions.ALPHABET)
    torch.manual_seed(seed)
    model = ExpressionEvaluator(symbols, embedding, units, encoder, memory, most, seed)
    tensors = expression_tensors(Path(corpus) / "train.parquet", lengths, expressions)
    loss = _expression_loss(baseline, policy_weight, entropy_weight, baseline_weight)
    validation = None
    if patience is not None:
        validation = batches(
            held := expression_tensors(Path(corpus) / "validation.parquet", lengths),
            1024,
            lengths=held[1],
            shuffle=False,
        )
    return _fit_and_save(
        model,
        loss,
        batches(tensors, batch, seed=seed),  # all lengths in a batch: apart, the last ones trained on win
        validation,
        tensors,
        folder,
        scratch,
        name=f"expressions-{name}",
        settings=settings,
        machine={"threads": threads, "accelerator": accelerator, "devices": devices, "strategy": strategy},
    )


def train_relations(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    encoder: Kind,
    longest: int,
    embedding: int,
    units: int,
    learning_rate: float,
    batch: int,
    epochs: list[int],
    gradient_clip: float | None,
    patience: int | None = None,
    memory: Literal["merge", "carry"] = "merge",
    baseline: Baseline = "value",
    policy_weight: float = 1.0,
    entropy_weight: float = 0.02,
    baseline_weight: float = 0.1,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int = 1,
    strategy: str = "auto",
) -> Path:
    """Train one classifier of the relation between two formulas, and save it as `train_expressions` does.

    Args:
        corpus: the folder of `repline.systems.rrnet.propositional_logic.generate`.
        longest: pairs with more connectives are not trained on.
        others, and what is returned: as in `train_expressions`.

    Source: Jacob et al. 2018, section 3.2.
    """
    settings = _settings(locals())
    torch.manual_seed(seed)
    model = RelationClassifier(
        propositional_logic.WORDS, propositional_logic.RELATIONS, embedding, units, encoder, memory, seed
    )
    tensors = relation_tensors(Path(corpus) / "train.parquet", longest)
    validation = None
    if patience is not None:
        held = relation_tensors(Path(corpus) / "validation.parquet", longest)
        validation = batches(held, 1024, lengths=held[1].amax(1), shuffle=False)
    return _fit_and_save(
        model,
        _relation_loss(baseline, policy_weight, entropy_weight, baseline_weight),
        batches(tensors, batch, seed=seed, lengths=tensors[1].amax(1)),
        validation,
        tensors,
        folder,
        scratch,
        name=f"relations-{name}",
        settings=settings,
        machine={"threads": threads, "accelerator": accelerator, "devices": devices, "strategy": strategy},
    )


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """What a training depends on, of all that it was given; InputError for epochs that do not ascend."""
    apart = ("corpus", "folder", "scratch", "name", "threads", "accelerator", "devices", "strategy")
    settings = {key: value for key, value in given.items() if key not in apart}
    epochs = settings["epochs"]
    if not epochs or sorted(set(epochs)) != epochs or epochs[0] < 1:
        raise InputError(f"rrnet: expected ascending numbers of epochs, found {epochs}")
    return settings


def policy_loss(
    encoding: Encoding,
    right: Tensor,
    value: nn.Module | None,
    *,
    baseline: Baseline,
    policy_weight: float,
    entropy_weight: float,
    baseline_weight: float,
) -> Tensor | float:
    """What a policy adds to the loss: REINFORCE where it drew its operations, cross-entropy where they were given.

    Args:
        encoding: of [B', K] steps.
        right: bool [B'], whether the answer was right.
        value: a layer d -> 1 that expects the reward; None where the operations were given.
        others: as in `train_expressions`.
    """
    if encoding.log_probabilities is None:
        return 0.0
    done = encoding.done
    if value is None:
        taken = encoding.log_probabilities.gather(-1, done.actions[..., None])[..., 0]
        return -policy_weight * taken[done.decided].mean()
    expected = value(encoding.before.detach())[..., 0] if baseline == "value" else None
    rewards = right.float()[:, None].expand(done.actions.shape)
    return policy_weight * policy_gradient_loss(
        encoding.log_probabilities,
        done.actions,
        rewards,
        counted=done.decided,
        baseline=expected,
        entropy_weight=entropy_weight,
        baseline_weight=baseline_weight,
    )


def _expression_loss(baseline: Baseline, policy: float, entropy: float, value: float) -> Loss:
    """In training the loss, otherwise the share of wrong values: what training stops by."""

    def loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        ids, lengths, values = batch
        if not model.training:
            return (model.predict(ids, lengths)[0] != values).float().mean()
        scores, encoding = model(ids, lengths, values)
        digits = torch.stack([values // 10, values % 10], 1)  # [B, 2]
        right = (scores.argmax(-1) == digits).all(1)
        task = 2 * cross_entropy(scores.flatten(0, 1), digits.flatten())  # the sum of both digits'
        return task + policy_loss(
            encoding,
            right,
            model.value,
            baseline=baseline,
            policy_weight=policy,
            entropy_weight=entropy,
            baseline_weight=value,
        )

    return loss


def _relation_loss(baseline: Baseline, policy: float, entropy: float, value: float) -> Loss:
    def loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        ids, words, relations, _ = batch
        scores, encoding = model(ids, words)
        right = scores.argmax(1) == relations
        if not model.training:
            return (~right).float().mean()
        return cross_entropy(scores, relations) + policy_loss(
            encoding,
            right.repeat_interleave(2),
            model.value,
            baseline=baseline,
            policy_weight=policy,
            entropy_weight=entropy,
            baseline_weight=value,
        )

    return loss


def _fit_and_save(
    model: nn.Module,
    loss: Loss,
    training: Any,
    validation: Any,
    tensors: Sequence[Tensor],
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    settings: dict[str, Any],
    machine: dict[str, Any],
) -> Path:
    mark = fingerprint(model, settings | machine, tensors)
    checkpoints = Path(scratch) / f"rrnet-{name}-{settings['seed']}-{mark}"
    with new_folder(folder) as partial:
        for number in settings["epochs"]:
            history = fit(
                model,
                loss,
                training,
                validation=validation,
                epochs=number,
                learning_rate=settings["learning_rate"],
                seed=settings["seed"],
                checkpoints=checkpoints,
                patience=settings["patience"],
                gradient_clip=settings["gradient_clip"],
                optimizer=lambda weights, rate: Adam(weights, rate, fused=True),
                together=TOGETHER,
                name=f"{name} seed {settings['seed']}",
                **machine,
            )
            save_trained(model, partial / f"after-{number}", history, settings | {"epochs": number})
            model.train()
    return checkpoints
