"""Train one encoder: on conversations, on pairs of inference, on both in turn, or not at all (a control)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, Unpack

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import write_encoder
from repline.parameters import Count, Positive, Share
from repline.systems.conversations.corpus import Inference, Sentences, Turns, pack, turn_numbers, vocabulary
from repline.systems.conversations.model import ConversationEncoder, EncoderName, response_loss
from repline.systems.conversations.task_batches import INFERENCE, Batch, Conversations, LabelledPairs, task_batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import History
from repline.training.optimizers.row_adam import RowAdam
from repline.training.settings import Training, settings_of
from repline.vectors import store

TOGETHER = 8  # batches in a turn of the loop


class Recipe(Training):
    """The parameters of `train_model`.

    Attributes:
        task: what is trained; none is a control with the weights that training begins with.
        begin: the words' embeddings begin at random, or as given vectors where a word has one.
        every: where both tasks are trained, one batch of pairs follows so many of conversations.
        alone: epochs on conversations alone before both take turns, with an optimiser of their own.
        pairs_batch: pairs of inference in a batch; pairs_share: of those of train that are used, the first ones.
        mask_duplicates: a reply that says the same as the true one is not its rival.
        symmetric: also pick the message for a reply.
        optimizer: adam (tables by rows) or sgd; table_rate: the learning rate of tables in parts of the others'.
        vocabulary: words; encoder to dropout: of `ConversationEncoder`.
    """

    task: Literal["conversation", "both", "inference", "none"]
    begin: Literal["random", "vectors"] = "random"
    every: Count
    alone: int = Field(default=0, ge=0)
    pairs_batch: Count
    pairs_share: float = Field(default=1.0, gt=0, le=1)
    mask_duplicates: bool
    symmetric: bool = False
    optimizer: Literal["adam", "sgd"] = "adam"
    table_rate: Positive = 1.0
    vocabulary: Count
    encoder: EncoderName = "dan"
    dimensions: Count
    buckets: int = Field(ge=0)
    layers: list[Count] = Field(min_length=1)
    replies: list[Count] = Field(min_length=1)
    hidden: Count
    blocks: Count = 6
    heads: Count = 8
    inner: Count = 2048
    dropout: Share = 0.1


@dataclass(frozen=True)
class Data:
    """What models are trained on, and the folder of vectors that words may begin with."""

    turns: Turns
    inference: Inference
    vectors: Path


def train_model(
    data: Data,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train and save a model, which the suite of sentences takes as an encoder.

    Args:
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the run, unique in scratch.

    Returns:
        the folder of this run's checkpoints.

    Raises:
        InputError: clipped gradients of sparse tables, or vectors of other dimensions than the embeddings.
    """
    recipe = Recipe(**knobs)
    if recipe.gradient_clip is not None and recipe.encoder == "dan":
        raise InputError(
            "params.yaml: conversations: the tables of a dan are sparse, their gradients cannot be clipped"
        )
    torch.manual_seed(seed)
    words = vocabulary(data.turns, data.inference, recipe.vocabulary)
    model = _model(recipe, words, data.inference.names)
    if recipe.begin == "vectors":
        begin_with_vectors(model, data.vectors)
    settings = {"seed": seed} | settings_of(recipe)
    conversations, pairs = _tasks(recipe, data, words)
    weights = [value for _, value in sorted(model.state_dict().items())]
    loss = partial(task_loss, mask=recipe.mask_duplicates, symmetric=recipe.symmetric)
    read = (*_numbers(conversations), *_numbers(pairs))
    mark = fingerprint(
        model, settings | {"threads": threads}, (*weights, *read), loss=task_loss, hardware=recipe.hardware
    )
    checkpoints = Path(scratch) / f"conversations-{name}-{seed}-{mark}"
    history: History = []
    for part, epochs, tasks in (
        ("alone", recipe.alone, (conversations, None)),
        ("last", recipe.epochs, (conversations, pairs)),
    ):
        if epochs and any(tasks):
            history += fit(
                model,
                loss,
                task_batches(*tasks, size=recipe.batch, pairs_size=recipe.pairs_batch, every=recipe.every, seed=seed),
                epochs=epochs,
                learning_rate=recipe.learning_rate,
                optimizer=OPTIMIZERS[recipe.optimizer](recipe.table_rate),
                gradient_clip=recipe.gradient_clip,
                seed=seed,
                checkpoints=checkpoints / part,
                together=TOGETHER,
                threads=threads,
                hardware=recipe.hardware,
                name=f"{name}-{seed}",
            )
    save_trained(model, folder, history, settings)
    write_encoder(folder, "conversations", task=recipe.task)
    return checkpoints


def task_loss(
    model: ConversationEncoder, batch: Batch, mask: bool = True, symmetric: bool = False
) -> tuple[Tensor, float]:
    """The loss of a batch of either task, and how many pairs it is the mean of."""
    task, tokens, lengths, targets = batch
    first, second = model(tokens, lengths).chunk(2)
    if int(task) == INFERENCE:
        return cross_entropy(model.infer(first, second), targets), float(len(targets))
    scores = first @ model.replies(second).T  # [K, K]
    return response_loss(scores, targets if mask else None, symmetric), float(len(targets))


def begin_with_vectors(model: ConversationEncoder, vectors: str | Path) -> None:
    """Give the words that have one their vector as their embedding, at the length that random ones have on average.

    Raises:
        InputError: vectors of other dimensions than the embeddings, or of none of the words.
    """
    names, matrix = store.words_and_matrix(vectors)
    wanted, place = set(model.words), {word: number for number, word in enumerate(model.words, 1)}
    table = model.encoder.words.weight
    if matrix.shape[1] != table.shape[1]:
        raise InputError(
            f"{vectors}: vectors of {matrix.shape[1]} dimensions cannot begin embeddings of {table.shape[1]}"
        )
    rows = [row for row, word in enumerate(names) if word in wanted]
    if not rows:
        raise InputError(f"{vectors}: there is no vector of any word of the conversations")
    found = torch.tensor(matrix[rows])
    found *= table.detach().norm(dim=1).mean() / found.norm(dim=1).mean()
    model.begin(torch.tensor([place[names[row]] for row in rows]), found)


def _rows(table_rate: float) -> Callable[[Iterable[nn.Parameter], float], torch.optim.Optimizer]:
    return partial(RowAdam, table_rate=table_rate)


def _sgd(_: float) -> Callable[[Iterable[nn.Parameter], float], torch.optim.Optimizer]:
    return torch.optim.SGD


OPTIMIZERS = {"adam": _rows, "sgd": _sgd}


def _model(recipe: Recipe, words: list[str], labels: list[str]) -> ConversationEncoder:
    return ConversationEncoder(
        words,
        labels if recipe.task in ("both", "inference") else (),
        recipe.encoder,
        recipe.dimensions,
        recipe.buckets,
        recipe.layers,
        recipe.replies,
        recipe.hidden,
        recipe.blocks,
        recipe.heads,
        recipe.inner,
        recipe.dropout,
    )


def _tasks(recipe: Recipe, data: Data, words: list[str]) -> tuple[Conversations | None, LabelledPairs | None]:
    conversations = pairs = None
    if recipe.task in ("conversation", "both"):
        texts = torch.from_numpy(data.turns.texts)
        messages = torch.from_numpy(data.turns.of_split("train"))
        conversations = Conversations(turn_numbers(data.turns, words), messages, texts)
    if recipe.task in ("both", "inference"):
        known = {word: number for number, word in enumerate(words, 1)}
        used = max(1, round(recipe.pairs_share * len(data.inference.labels["train"])))
        sides = (pack(side["train"][:used], known) for side in (data.inference.first, data.inference.second))
        pairs = LabelledPairs(*sides, data.inference.numbers("train")[:used])
    return conversations, pairs


def _numbers(task: Conversations | LabelledPairs | None) -> Iterable[Tensor]:
    for part in () if task is None else vars(task).values():
        yield from (part.tokens, part.starts) if isinstance(part, Sentences) else (part,)
