"""Train RRNet and its baselines on expressions and on formulas.

The loss of a task comes by back-propagation through the operations that were done. A learned policy adds that of
REINFORCE, with the reward 1 for a right answer; an imitated one the cross-entropy of the brackets' operations.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, Unpack

import torch
from pydantic import AfterValidator, Field
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Adam
from torch.utils.data import DataLoader

from repline.files import another_process, new_folder
from repline.parameters import Count
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.policy_gradient import Policy, policy_gradient_loss
from repline.systems.rrnet.tasks import Encoding, ExpressionEvaluator, Kind, RelationClassifier
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import Loss
from repline.training.settings import Training, settings_of

TOGETHER = 16  # batches in a turn of the loop


def _ascending(epochs: list[int]) -> list[int]:
    if not epochs or sorted(set(epochs)) != epochs or epochs[0] < 1:
        raise ValueError(f"expected ascending numbers of epochs, found {epochs}")
    return epochs


class Recipe(Training, Policy):
    """What both tasks have among their parameters.

    encoder: of `repline.systems.rrnet.tasks`.
    embedding, units: sizes.
    epochs: ascending; a model is kept after each of these numbers.
    patience: epochs without a better accuracy on the validation data before training stops; None: all.
    memory: of `repline.systems.rrnet.model.RRNet`.
    """

    encoder: Kind
    embedding: Count
    units: Count
    epochs: Annotated[list[int], AfterValidator(_ascending)]
    patience: Count | None = None
    memory: Literal["merge", "carry"] = "merge"


class Expressions(Recipe):
    """The parameters of `train_expressions`."""

    lengths: list[int]  # of the expressions trained on
    expressions: Count | None = None  # of each length; None for all
    most: Annotated[int, Field(ge=0)] = 0  # of `repline.systems.rrnet.model.RRNet`


class Relations(Recipe):
    """The parameters of `train_relations`."""

    longest: Count  # pairs with more connectives are not trained on


def train_expressions(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Expressions],
) -> Path:
    """Train one evaluator of expressions, and save it into `folder`/after-<n> for every number n of epochs.

    Args:
        corpus: the folder of `repline.systems.rrnet.math_expressions.generate`.
        folder: replaces what was there.
        scratch: for checkpoints.
        name: of the variant, for messages.
        seed: of the weights, the order of the batches, the drawn operations.
        threads: of `repline.training.fit`.

    Returns:
        The folder of checkpoints, for the caller to remove.

    Raises:
        InputError: a length that the corpus lacks, or fewer expressions than asked for.

    Source: Jacob et al. 2018, section 3.1.
    """
    recipe = Expressions(**knobs)
    symbols = list(math_expressions.ALPHABET)
    torch.manual_seed(seed)
    model = ExpressionEvaluator(
        symbols, recipe.embedding, recipe.units, recipe.encoder, recipe.memory, recipe.most, seed
    )
    tensors = expression_tensors(Path(corpus) / "train.parquet", recipe.lengths, recipe.expressions)
    validation = None
    if recipe.patience is not None:
        held = expression_tensors(Path(corpus) / "validation.parquet", recipe.lengths)
        validation = batches(held, 1024, lengths=held[1], shuffle=False)
    return _fit_and_save(
        model,
        _expression_loss(recipe),
        batches(tensors, recipe.batch, seed=seed),  # all lengths in a batch: apart, the last ones trained on win
        validation,
        tensors,
        folder,
        scratch,
        recipe,
        name=f"expressions-{name}",
        seed=seed,
        threads=threads,
    )


def train_relations(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Relations],
) -> Path:
    """Train one classifier of the relation between two formulas, and save it as `train_expressions` does.

    Args:
        corpus: the folder of `repline.systems.rrnet.propositional_logic.generate`.
        others, and what is returned: as in `train_expressions`.

    Source: Jacob et al. 2018, section 3.2.
    """
    recipe = Relations(**knobs)
    torch.manual_seed(seed)
    model = RelationClassifier(
        propositional_logic.WORDS,
        propositional_logic.RELATIONS,
        recipe.embedding,
        recipe.units,
        recipe.encoder,
        recipe.memory,
        seed,
    )
    tensors = relation_tensors(Path(corpus) / "train.parquet", recipe.longest)
    validation = None
    if recipe.patience is not None:
        held = relation_tensors(Path(corpus) / "validation.parquet", recipe.longest)
        validation = batches(held, 1024, lengths=held[1].amax(1), shuffle=False)
    return _fit_and_save(
        model,
        _relation_loss(recipe),
        batches(tensors, recipe.batch, seed=seed, lengths=tensors[1].amax(1)),
        validation,
        tensors,
        folder,
        scratch,
        recipe,
        name=f"relations-{name}",
        seed=seed,
        threads=threads,
    )


def policy_loss(encoding: Encoding, right: Tensor, value: nn.Module | None, policy: Policy) -> Tensor | float:
    """What a policy adds to the loss: REINFORCE where it drew its operations, cross-entropy where they were given.

    Args:
        encoding: of [B', K] steps.
        right: bool [B'], whether the answer was right.
        value: a layer d -> 1 that expects the reward; None where the operations were given.
    """
    if encoding.log_probabilities is None:
        return 0.0
    done = encoding.done
    if value is None:
        taken = encoding.log_probabilities.gather(-1, done.actions[..., None])[..., 0]
        return -policy.policy_weight * taken[done.decided].mean()
    expected = value(encoding.before.detach())[..., 0] if policy.baseline == "value" else None
    rewards = right.float()[:, None].expand(done.actions.shape)
    return policy.policy_weight * policy_gradient_loss(
        encoding.log_probabilities,
        done.actions,
        rewards,
        counted=done.decided,
        baseline=expected,
        entropy_weight=policy.entropy_weight,
        baseline_weight=policy.baseline_weight,
    )


def _expression_loss(policy: Policy) -> Loss:
    """In training the loss, otherwise the share of wrong values: what training stops by."""

    def loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        ids, lengths, values = batch
        if not model.training:
            return (model.predict(ids, lengths)[0] != values).float().mean()
        scores, encoding = model(ids, lengths, values)
        digits = torch.stack([values // 10, values % 10], 1)  # [B, 2]
        right = (scores.argmax(-1) == digits).all(1)
        task = 2 * cross_entropy(scores.flatten(0, 1), digits.flatten())  # the sum of both digits'
        return task + policy_loss(encoding, right, model.value, policy)

    return loss


def _relation_loss(policy: Policy) -> Loss:
    def loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        ids, words, relations, _ = batch
        scores, encoding = model(ids, words)
        right = scores.argmax(1) == relations
        if not model.training:
            return (~right).float().mean()
        return cross_entropy(scores, relations) + policy_loss(encoding, right.repeat_interleave(2), model.value, policy)

    return loss


def _fit_and_save(
    model: nn.Module,
    loss: Loss,
    training: DataLoader,
    validation: DataLoader | None,
    tensors: Sequence[Tensor],
    folder: str | Path,
    scratch: str | Path,
    recipe: Recipe,
    *,
    name: str,
    seed: int,
    threads: int,
) -> Path:
    settings = {"seed": seed} | settings_of(recipe)
    mark = fingerprint(model, settings | {"threads": threads}, tensors, loss=loss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"rrnet-{name}-{seed}-{mark}"
    with new_folder(folder) as partial:
        for number in recipe.epochs:
            kept = checkpoints / f"after-{number}"  # a later number may be killed: this model is not trained again
            if not kept.is_dir():
                history = fit(
                    model,
                    loss,
                    training,
                    validation=validation,
                    epochs=number,
                    learning_rate=recipe.learning_rate,
                    seed=seed,
                    checkpoints=checkpoints,
                    patience=recipe.patience,
                    gradient_clip=recipe.gradient_clip,
                    optimizer=lambda weights, rate: Adam(weights, rate, fused=True),
                    together=TOGETHER,
                    name=f"{name} seed {seed}",
                    threads=threads,
                    hardware=recipe.hardware,
                )
                save_trained(model, kept, history, settings | {"epochs": number})
                model.train()
            if not another_process():
                shutil.copytree(kept, partial / kept.name)
    return checkpoints
