"""Train an LSTM to recall the middle token of its input, on sequences of one distribution."""

from pathlib import Path
from typing import Unpack

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Adam

from repline.parameters import Count, Positive, Share
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.optimizers.schedules import plateau
from repline.training.settings import Training, settings_of

TOGETHER = 16  # batches in a turn of the loop


class Recipe(Training):
    """The parameters of `train_memorization`.

    batch: sequences in a batch; `batch_of_few` where there are fewer than `few` sequences.
    stride: from one sequence to the next; None: n.
    validation_share: of the sequences; they are of the training distribution.
    watched: test sequences whose accuracy is noted after every epoch. Nothing is chosen by it.
    scale: standard deviation of the embedding's entries.
    """

    batch: Count = 128
    batch_of_few: Count = 64
    few: Count = 10_000
    stride: Count | None = None
    validation_share: Share = 0.1
    watched: Count = 2_000
    scale: Positive = 1.0


def train_memorization(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    distribution: str,
    length: int,
    size: int,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train one model, and save it into `folder` (with its history, training.json).

    The learning rate is halved after every third epoch without a lower validation loss; training ends after `epochs`,
    or as soon as no validation sequence is answered wrongly. Saved is the model of the epoch with the highest
    validation accuracy.

    Args:
        corpus: the folder of `repline.systems.lstm_memorization.corpus.build`.
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        distribution: which of the corpus.
        length: n, of all sequences.
        size: d, of state and embedding.
        seed: of the embedding, the first weights and the order of the batches.
        threads: as in `repline.training.fit`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Source: Liu, Levy, Schwartz, Tan & Smith 2018, section 3 and appendix A.
    """
    recipe = Recipe(**knobs)
    stream = torch.from_numpy(middle_token.read_stream(corpus, distribution))
    train, validation = (
        Windows(stream, torch.from_numpy(starts), length)
        for starts in middle_token.split(
            len(stream), length, stride=recipe.stride, validation_share=recipe.validation_share
        )
    )
    test = torch.from_numpy(middle_token.read_test(corpus, length))[: recipe.watched]
    torch.manual_seed(seed)
    model = MiddleTokenLSTM(middle_token.read_types(corpus).num_rows, size, recipe.scale)
    settings = {"distribution": distribution, "length": length, "size": size, "seed": seed} | settings_of(recipe)
    together = recipe.batch_of_few if len(train) + len(validation) < recipe.few else recipe.batch
    marks = settings | {"threads": threads}
    mark = fingerprint(model, marks, (stream, test), loss=middle_token_loss, hardware=recipe.hardware)
    name = f"{distribution}-d{size}-n{length}-{seed}"
    checkpoints = Path(scratch) / f"lstm_memorization-{name}-{mark}"
    history = fit(
        model,
        middle_token_loss,
        batches((train,), together, seed=seed),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        seed=seed,
        checkpoints=checkpoints,
        optimizer=lambda weights, rate: Adam(weights, rate, fused=True),
        schedule=plateau(0.5, patience=3),
        measure=lambda model: _measure(model, validation, test),
        until=lambda record: record["validation_accuracy"] >= 1,
        highest="validation_accuracy",
        gradient_clip=recipe.gradient_clip,
        together=TOGETHER,
        name=name,
        threads=threads,
        hardware=recipe.hardware,
    )
    sequences = {"training": len(train), "validation": len(validation), "in_a_batch": together}
    del settings["watched"]  # which changes nothing of the model
    save_trained(model, folder, history, settings, sequences=sequences)
    return checkpoints


class Windows:
    """Sequences as views of one stream of tokens: rows [k] -> [k, n].

    Args:
        stream: [T].
        starts: [N], where each begins.
        length: n.
    """

    def __init__(self, stream: Tensor, starts: Tensor, length: int):
        self.views, self.starts = stream.unfold(0, length, 1), starts  # [T - n + 1, n], no copy

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, rows: Tensor | slice) -> Tensor:
        return self.views[self.starts[rows]]


def middle_token_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Mean cross-entropy of the middle token, in nats. batch: (ids [B, n],)."""
    (ids,) = batch
    return cross_entropy(model(ids), targets(ids))


def targets(ids: Tensor) -> Tensor:
    """The token to be recalled of each sequence: [B, n] -> [B]."""
    return ids[:, middle_token.target(ids.shape[1])].long()


@torch.no_grad()
def recall(model: nn.Module, sequences: Windows | Tensor, block: int = 500) -> tuple[float, float]:
    """Accuracy (the share of sequences whose middle token gets the highest logit), and mean loss in nats.

    Args:
        sequences: N rows of n tokens.
        block: rows at a time.
    """
    device = next(model.parameters()).device
    right, loss = 0, 0.0
    for start in range(0, len(sequences), block):
        ids = sequences[start : start + block].to(device)
        logits = model(ids)
        loss += float(cross_entropy(logits, targets(ids), reduction="sum"))
        right += int((logits.argmax(-1) == targets(ids)).sum())
    return right / len(sequences), loss / len(sequences)


def _measure(model: nn.Module, validation: Windows, test: Tensor) -> dict[str, float]:
    accuracy, loss = recall(model, validation)
    return {"validation_loss": loss, "validation_accuracy": accuracy, "test_accuracy": recall(model, test)[0]}
