"""Train an LSTM to recall the middle token of its input, on sequences of one distribution."""

from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Adam

from repline.cards import NamedSource, read_card
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.settings import Experiment, Recipe
from repline.training.batches import batches
from repline.training.optimizers.schedules import plateau
from repline.training.run import Run, run
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import describe

BATCHES_PER_TURN = 16  # of the training loop


def train(recipe: Recipe, corpus: str | Path, experiment: Experiment, this_run: Run) -> None:
    """Train one model, and save it (with its history, training.json).

    The learning rate is halved after every third epoch without a lower validation loss; training ends after `epochs`,
    or as soon as no validation sequence is answered wrongly. Saved is the model of the epoch with the highest
    validation accuracy.

    Args:
        corpus: the folder of `repline.systems.lstm_memorization.corpus.build`.
        experiment: distribution and length of the sequences, size of the model.

    Source: Liu, Levy, Schwartz, Tan & Smith 2018, section 3 and appendix A.
    """
    length = experiment.length
    stream = torch.from_numpy(middle_token.read_stream(corpus, experiment.distribution))
    training, validation = (
        Windows(stream, torch.from_numpy(starts), length)
        for starts in middle_token.split(
            len(stream), length, stride=recipe.stride, validation_share=recipe.validation_share
        )
    )
    test = torch.from_numpy(middle_token.read_test(corpus, length))[: recipe.watched]
    torch.manual_seed(this_run.seed)
    model = MiddleTokenLSTM(middle_token.read_types(corpus).num_rows, experiment.dimensions, recipe.scale)
    batch = recipe.batch_of_few if len(training) + len(validation) < recipe.few else recipe.batch
    sequences = {"training": len(training), "validation": len(validation), "in_a_batch": batch}
    run(
        model,
        middle_token_loss,
        batches((training,), batch, seed=this_run.seed),
        recipe,
        this_run,
        data=(stream, test),
        settings=experiment.model_dump(),
        records=lambda history: {"sequences": sequences},
        optimizer=lambda weights, rate: Adam(weights, rate, fused=True),
        schedule=plateau(0.5, patience=3),
        measure=lambda model: _measure(model, validation, test),
        until=lambda record: record["validation_accuracy"] >= 1,
        highest="validation_accuracy",
        batches_per_turn=BATCHES_PER_TURN,
    )
    words = middle_token.read_types(corpus)["word"].to_pylist()
    describe(this_run.folder, "lstm_memorization", "recall", {"words": words, "text": _spelling(corpus).record()})


def _spelling(corpus: str | Path) -> CorpusSpelling:
    """How the text of a corpus is spelt, as the card of its source tells it; by default as the corpora here are."""
    sources = read_card(corpus)["sources"]
    return CorpusSpelling.of_card(cast(NamedSource, sources[0])["corpus"]) if sources else CorpusSpelling()


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
    correct, loss = 0, 0.0
    for start in range(0, len(sequences), block):
        ids = sequences[start : start + block].to(device)
        logits = model(ids)
        loss += float(cross_entropy(logits, targets(ids), reduction="sum"))
        correct += int((logits.argmax(-1) == targets(ids)).sum())
    return correct / len(sequences), loss / len(sequences)


def _measure(model: nn.Module, validation: Windows, test: Tensor) -> dict[str, float]:
    accuracy, loss = recall(model, validation)
    return {"validation_loss": loss, "validation_accuracy": accuracy, "test_accuracy": recall(model, test)[0]}
