"""Train one encoder: on conversations, on pairs of inference, on both in turn, or not at all (a control)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import write_encoder
from repline.systems.conversations.corpus import Inference, Sentences, Turns, pack, turn_numbers, vocabulary
from repline.systems.conversations.model import ConversationEncoder, response_loss
from repline.systems.conversations.settings import Recipe
from repline.systems.conversations.task_batches import INFERENCE, Batch, Conversations, LabelledPairs, task_batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import History
from repline.training.optimizers.row_adam import RowAdam
from repline.training.run import Run, first_weights
from repline.use.folders import describe
from repline.vectors import store

BATCHES_PER_TURN = 8  # of the training loop


@dataclass(frozen=True)
class Data:
    """Conversations, pairs of inference, and the folder of vectors that embeddings may begin with."""

    turns: Turns
    inference: Inference
    vectors: Path


def train(recipe: Recipe, data: Data, this_run: Run) -> None:
    """Train a model and save it as an encoder of sentences.

    training.json holds the history of the last part, whose weights are saved, and that of the epochs on conversations
    alone, if there were any, as `pretraining`.

    Raises:
        InputError: vectors of other dimensions than the embeddings.
    """
    torch.manual_seed(this_run.seed)
    words = vocabulary(data.turns, data.inference, recipe.vocabulary)
    model = _model(recipe, words, data.inference.names)
    if recipe.begin == "vectors":
        begin_with_vectors(model, data.vectors)
    settings = {"seed": this_run.seed} | recipe.record()
    conversations, pairs = _tasks(recipe, data, words, "train")
    dev_conversations, dev_pairs = _tasks(recipe, data, words, "dev")
    hardware = this_run.hardware_for(recipe)
    mark = fingerprint(
        model,
        settings | {"threads": this_run.threads},
        (
            *first_weights(model),
            *(part for task in (conversations, pairs, dev_conversations, dev_pairs) for part in _numbers(task)),
        ),
        loss=task_loss,
        code_digest=this_run.code_digest,
        hardware=hardware,
    )
    histories: dict[str, History] = {}
    for part, epochs, tasks in (
        ("alone", recipe.alone, (conversations, None)),
        ("last", recipe.epochs, (conversations, pairs)),
    ):
        if epochs and any(tasks):
            histories[part] = fit(
                model,
                partial(task_loss, mask=recipe.mask_duplicates, symmetric=recipe.symmetric),
                task_batches(
                    *tasks, size=recipe.batch, pairs_size=recipe.pairs_batch, every=recipe.every, seed=this_run.seed
                ),
                validation=task_batches(
                    *((dev_conversations, None) if conversations else (None, dev_pairs)),
                    size=recipe.batch,
                    pairs_size=recipe.pairs_batch,
                    every=recipe.every,
                    same_order=True,
                ),
                patience=recipe.patience or epochs,  # the epoch with the lowest loss on dev is kept
                epochs=epochs,
                learning_rate=recipe.learning_rate,
                optimizer=OPTIMIZERS[recipe.optimizer](recipe.table_rate),
                gradient_clip=recipe.gradient_clip,
                seed=this_run.seed,
                checkpoints=this_run.checkpoint_folder(mark, part),
                batches_per_turn=BATCHES_PER_TURN,
                threads=this_run.threads,
                hardware=hardware,
                checkpointing=this_run.checkpointing,
                name=this_run.title,
            )
    pretraining = {"pretraining": histories["alone"]} if "alone" in histories else {}
    save_trained(model, this_run.folder, histories.get("last", []), settings, **pretraining)
    write_encoder(this_run.folder, "conversations", task=recipe.task)
    describe(this_run.folder, "conversations", "text_encoder", {"words": "split_words"})


def task_loss(
    model: ConversationEncoder, batch: Batch, mask: bool = True, symmetric: bool = False
) -> tuple[Tensor, float]:
    """The mean loss of a batch of either task, and its number of pairs.

    Args:
        mask: whether a reply with the text of the true one is no rival.
        symmetric: of `response_loss`.
    """
    task, tokens, lengths, targets = batch
    first, second = model(tokens, lengths).chunk(2)
    if int(task) == INFERENCE:
        return cross_entropy(model.infer(first, second), targets), float(len(targets))
    scores = first @ model.replies(second).T  # [B, B]
    return response_loss(scores, targets if mask else None, symmetric), float(len(targets))


def begin_with_vectors(model: ConversationEncoder, vectors: str | Path) -> None:
    """Set the embedding of every word that has a vector to it, scaled to the mean length of the random embeddings.

    Raises:
        InputError: vectors of other dimensions than the embeddings, or of none of the words.
    """
    names, matrix = store.words_and_matrix(vectors)
    vocabulary_words, number_of = set(model.words), {word: number for number, word in enumerate(model.words, 1)}
    table = model.encoder.words.weight
    if matrix.shape[1] != table.shape[1]:
        raise InputError(
            f"{vectors}: vectors of {matrix.shape[1]} dimensions cannot begin embeddings of {table.shape[1]}"
        )
    rows = [row for row, word in enumerate(names) if word in vocabulary_words]
    if not rows:
        raise InputError(
            f"{vectors}: expected vectors of words of the conversations, found none; take vectors of their language"
        )
    first = torch.tensor(matrix[rows])
    first *= table.detach().norm(dim=1).mean() / first.norm(dim=1).mean()
    model.begin(torch.tensor([number_of[names[row]] for row in rows]), first)


def _adam_by_rows(table_rate: float) -> Callable[[Iterable[nn.Parameter], float], torch.optim.Optimizer]:
    return partial(RowAdam, table_rate=table_rate)


def _sgd(_: float) -> Callable[[Iterable[nn.Parameter], float], torch.optim.Optimizer]:
    return torch.optim.SGD


OPTIMIZERS = {"adam": _adam_by_rows, "sgd": _sgd}


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


def _tasks(
    recipe: Recipe, data: Data, words: list[str], split: str
) -> tuple[Conversations | None, LabelledPairs | None]:
    conversations = pairs = None
    if recipe.task in ("conversation", "both"):
        texts = torch.from_numpy(data.turns.texts)
        messages = torch.from_numpy(data.turns.of_split(split))
        conversations = Conversations(turn_numbers(data.turns, words), messages, texts)
    if recipe.task in ("both", "inference"):
        number_of = {word: number for number, word in enumerate(words, 1)}
        share = recipe.pairs_share if split == "train" else 1
        used = max(1, round(share * len(data.inference.labels[split])))
        first, second = (pack(side[split][:used], number_of) for side in (data.inference.first, data.inference.second))
        pairs = LabelledPairs(first, second, data.inference.numbers(split)[:used])
    return conversations, pairs


def _numbers(task: Conversations | LabelledPairs | None) -> Iterable[Tensor]:
    for part in () if task is None else vars(task).values():
        yield from (part.tokens, part.starts) if isinstance(part, Sentences) else (part,)
