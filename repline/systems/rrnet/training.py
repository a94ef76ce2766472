"""Train RRNet and its baselines on expressions and on formulas.

The loss of a task comes by back-propagation through the operations that were executed. A learned policy adds that of
REINFORCE, with the reward 1 for a right answer; an imitated one the cross-entropy of the brackets' operations.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Adam
from torch.utils.data import DataLoader

from repline.files import another_process, new_folder
from repline.parameters import JsonObject
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.policy_gradient import policy_gradient_loss
from repline.systems.rrnet.settings import EncoderRecipe, ExpressionRecipe, Policy, RelationRecipe
from repline.systems.rrnet.tasks import Encoding, ExpressionEvaluator, RelationClassifier
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import Loss
from repline.training.run import Run, first_weights
from repline.use.folders import describe

BATCHES_PER_TURN = 16  # of the training loop
VALIDATION_BATCH = 1024


def train_expressions(recipe: ExpressionRecipe, corpus: str | Path, this_run: Run) -> None:
    """Train one evaluator of expressions, and save it into `this_run.folder/after-<n>` for every number n of epochs.

    Args:
        corpus: the folder of `repline.systems.rrnet.math_expressions.generate`.

    Raises:
        InputError: a length that the corpus lacks, or fewer expressions than asked for.

    Source: Jacob et al. 2018, section 3.1.
    """
    torch.manual_seed(this_run.seed)
    model = ExpressionEvaluator(
        list(math_expressions.ALPHABET),
        recipe.embedding,
        recipe.units,
        recipe.encoder,
        recipe.memory,
        recipe.most,
        this_run.seed,
    )
    tensors = expression_tensors(Path(corpus) / "train.parquet", recipe.lengths, recipe.expressions)
    held_out = expression_tensors(Path(corpus) / "validation.parquet", recipe.lengths)
    _fit_and_save(
        model,
        _expression_loss(recipe),
        batches(
            tensors, recipe.batch, seed=this_run.seed
        ),  # lengths are mixed in a batch: trained one after the other, the last one wins
        batches(held_out, VALIDATION_BATCH, lengths=held_out[1], padded=(0,), shuffle=False),
        (*tensors, *held_out),
        recipe,
        this_run,
        "expressions",
        {},
    )


def train_relations(recipe: RelationRecipe, corpus: str | Path, this_run: Run) -> None:
    """Train one classifier of the relation between two formulas, and save it as `train_expressions` does.

    Args:
        corpus: the folder of `repline.systems.rrnet.propositional_logic.generate`.

    Source: Jacob et al. 2018, section 3.2.
    """
    torch.manual_seed(this_run.seed)
    model = RelationClassifier(
        propositional_logic.WORDS,
        propositional_logic.RELATIONS,
        recipe.embedding,
        recipe.units,
        recipe.encoder,
        recipe.memory,
        this_run.seed,
    )
    tensors = relation_tensors(Path(corpus) / "train.parquet", recipe.longest)
    counts = torch.bincount(tensors[2], minlength=len(propositional_logic.RELATIONS)).double()
    held_out = relation_tensors(Path(corpus) / "validation.parquet", recipe.longest)
    _fit_and_save(
        model,
        _relation_loss(recipe),
        batches(tensors, recipe.batch, seed=this_run.seed, lengths=tensors[1].amax(1)),
        batches(held_out, VALIDATION_BATCH, lengths=held_out[1].amax(1), shuffle=False),
        (*tensors, *held_out),
        recipe,
        this_run,
        "relations",
        {"shares": (counts / counts.sum()).tolist()},
    )


def policy_loss(encoding: Encoding, is_correct: Tensor, value: nn.Module | None, policy: Policy) -> Tensor | float:
    """What a policy adds to the loss: REINFORCE where it drew its operations, cross-entropy where they were given.

    Args:
        encoding: of [B', K] steps.
        is_correct: bool [B'], whether the answer was right.
        value: a layer d -> 1 that expects the reward; None where the operations were given.
    """
    decisions, before = encoding.decisions, encoding.before
    if encoding.log_probabilities is None or decisions is None or before is None:
        return 0.0
    if value is None:
        taken = encoding.log_probabilities.gather(-1, decisions.actions[..., None])[..., 0]
        return -policy.policy_weight * taken[decisions.decided].mean()
    expected = value(before.detach())[..., 0] if policy.baseline == "value" else None
    rewards = is_correct.float()[:, None].expand(decisions.actions.shape)
    return policy.policy_weight * policy_gradient_loss(
        encoding.log_probabilities,
        decisions.actions,
        rewards,
        counted=decisions.decided,
        baseline=expected,
        entropy_weight=policy.entropy_weight,
        baseline_weight=policy.baseline_weight,
    )


def _expression_loss(policy: Policy) -> Loss[ExpressionEvaluator]:
    """A function that gives the loss in training, and otherwise the share of wrong values: the validation loss."""

    def loss(model: ExpressionEvaluator, batch: tuple[Tensor, ...]) -> Tensor:
        ids, lengths, values = batch
        if not model.training:
            return (model.predict(ids, lengths)[0] != values).float().mean()
        scores, encoding = model(ids, lengths, values)
        digits = torch.stack([values // 10, values % 10], 1)  # [B, 2]
        is_correct = (scores.argmax(-1) == digits).all(1)
        task = 2 * cross_entropy(scores.flatten(0, 1), digits.flatten())  # the sum of both digits'
        return task + policy_loss(encoding, is_correct, model.value, policy)

    return loss


def _relation_loss(policy: Policy) -> Loss[RelationClassifier]:
    def loss(model: RelationClassifier, batch: tuple[Tensor, ...]) -> Tensor:
        ids, words, relations, _ = batch
        scores, encoding = model(ids, words)
        is_correct = scores.argmax(1) == relations
        if not model.training:
            return (~is_correct).float().mean()
        rewarded = is_correct.repeat_interleave(2)  # both formulas of a pair
        return cross_entropy(scores, relations) + policy_loss(encoding, rewarded, model.value, policy)

    return loss


def _fit_and_save(
    model: nn.Module,
    loss: Loss,
    training: DataLoader,
    validation: DataLoader,
    tensors: Sequence[Tensor],
    recipe: EncoderRecipe,
    this_run: Run,
    kind: str,
    raw_input: JsonObject,
) -> None:
    """Train, and save the model after each number of epochs, with what `repline.systems.rrnet.use` needs."""
    settings = {"seed": this_run.seed} | recipe.record()
    hardware = this_run.hardware_for(recipe)
    mark = fingerprint(
        model,
        settings | {"threads": this_run.threads},
        (*first_weights(model), *tensors),
        loss=loss,
        code_digest=this_run.code_digest,
        hardware=hardware,
    )
    checkpoints = this_run.checkpoint_folder(mark)
    with new_folder(this_run.folder) as partial:
        for number in recipe.epochs:
            saved = checkpoints / f"after-{number}"  # a later number may be killed: this model is not trained again
            if not saved.is_dir():
                history = fit(
                    model,
                    loss,
                    training,
                    validation=validation,
                    epochs=number,
                    learning_rate=recipe.learning_rate,
                    seed=this_run.seed,
                    checkpoints=checkpoints,
                    patience=recipe.patience,
                    gradient_clip=recipe.gradient_clip,
                    optimizer=lambda weights, rate: Adam(weights, rate, fused=True),
                    batches_per_turn=BATCHES_PER_TURN,
                    name=this_run.title,
                    threads=this_run.threads,
                    hardware=hardware,
                    checkpointing=this_run.checkpointing,
                )
                save_trained(model, saved, history, settings | {"epochs": number})
            if not another_process():
                shutil.copytree(saved, partial / saved.name)
                describe(partial / saved.name, "rrnet", kind, raw_input)
