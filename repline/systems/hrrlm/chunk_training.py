"""Train HRRLM on words and chunks together, from a word-level model; and the fillers of the chunks of a corpus."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.parameters import JsonObject
from repline.pretrained import DESCRIPTION, pretrained
from repline.systems.hrrlm.chunk_model import ChunkHRRLM, chunks_of
from repline.systems.hrrlm.chunk_roles import chunk_numbers
from repline.systems.hrrlm.model import HRRLM
from repline.systems.hrrlm.settings import ChunkRecipe
from repline.systems.hrrlm.training import check_words, load_model
from repline.training.batches import batches
from repline.training.language_model_batches import END, IGNORED
from repline.training.language_models import total_nats
from repline.training.run import Run, run
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import describe


@dataclass(frozen=True)
class ChunkedSentences:
    """Sentences as rows, padded on the right; L is the length of the longest, with `<eos>` before its first word.

    Attributes:
        inputs, targets: int32 [S, L], ids; the targets of padding are -100.
        number: int32 [S, L], of each input's chunk in its sentence, -1 outside.
        kind: int32 [S, L], equal for chunks of the same words, -1 outside.
        lengths: int64 [S].
        sentence: int64 [S], the row of the corpus that each is.
        chunk: for each sentence the numbers, among all chunks of its row, of those that it has here.
        phrases: the ids of the words of each kind.
    """

    inputs: Tensor
    targets: Tensor
    number: Tensor
    kind: Tensor
    lengths: Tensor
    sentence: NDArray[np.int64]
    chunk: list[list[int]]
    phrases: list[tuple[int, ...]]

    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors of a batch, in the order that `ChunkLoss` takes."""
        return self.inputs, self.targets, self.number, self.kind


def chunked_sentences(
    corpus: LanguageModelingCorpus, split: str, *, maximum_tokens: int = 60, sentences: int | None = None
) -> ChunkedSentences:
    """The sentences of a split with their chunks.

    Chunks whose words are all punctuation, which the corpus has not, are left out.

    Args:
        corpus: with the column `chunk` in its rows.
        maximum_tokens: longer sentences are left out.
        sentences: the first N only; None for all.

    Raises:
        InputError: no column `chunk`, or no sentence with a chunk.
    """
    labels = corpus.rows(split, ["chunk"])["chunk"]
    ids, position = corpus.ids(split), np.asarray(corpus.position(split))
    bounds = np.asarray(corpus.sentences(split))
    lengths = np.diff(bounds)  # <eos> included
    kept_sentences = np.flatnonzero((lengths - 1 <= maximum_tokens) & (lengths > 1))[:sentences]
    longest = int(lengths[kept_sentences].max()) if len(kept_sentences) else 1
    inputs, number, kind = (np.full((len(kept_sentences), longest), fill, dtype=np.int32) for fill in (END, -1, -1))
    targets = np.full((len(kept_sentences), longest), IGNORED, dtype=np.int32)
    kinds: dict[tuple[int, ...], int] = {}
    chunk: list[list[int]] = []
    for row, sentence in enumerate(kept_sentences):
        start, stop = bounds[sentence], bounds[sentence + 1]
        words, last = ids[start : stop - 1], stop - start
        inputs[row, 1:last] = words
        targets[row, : last - 1], targets[row, last - 1] = words, END
        annotated = labels[sentence].as_py()
        if annotated is None or not len(words):
            chunk.append([])
            continue
        numbers_in_row = np.asarray(chunk_numbers(annotated))[position[start : stop - 1]]
        there, numbers = np.unique(numbers_in_row[numbers_in_row >= 0], return_inverse=True)
        number[row, 1:last][numbers_in_row >= 0] = numbers
        chunk_words = [tuple(words[numbers_in_row == chunk_number].tolist()) for chunk_number in there]
        phrase_kinds = np.array([kinds.setdefault(words_of, len(kinds)) for words_of in chunk_words], dtype=np.int32)
        kind[row, 1:last][numbers_in_row >= 0] = phrase_kinds[numbers]
        chunk.append(there.tolist())
    if not kinds:
        raise InputError(
            f"{corpus.folder}: no sentence of {split} with at most {maximum_tokens} words has a chunk; take a corpus "
            "whose column `chunk` is filled"
        )
    return ChunkedSentences(
        torch.from_numpy(inputs),
        torch.from_numpy(targets),
        torch.from_numpy(number),
        torch.from_numpy(kind),
        torch.from_numpy(lengths[kept_sentences]),
        kept_sentences,
        chunk,
        list(kinds),
    )


def train_chunks(recipe: ChunkRecipe, words: str | Path, corpus: LanguageModelingCorpus, this_run: Run) -> None:
    """Train one chunk-level model on separate sentences, and save it.

    Args:
        words: the folder of the word-level `HRRLM` that it starts from.
        corpus: a view with the words of that model, and chunks.

    Raises:
        InputError: the model is no HRRLM or of other words than the corpus, or the corpus has no chunks.

    Source: section 3.3.
    """
    start = load_model(words, corpus)
    if not isinstance(start, HRRLM):
        raise InputError(f"{words}: expected an HRRLM to start from, found a tied LSTM; choose another variant")
    training = chunked_sentences(
        corpus, "train", maximum_tokens=recipe.maximum_tokens, sentences=recipe.train_sentences
    )
    validation = chunked_sentences(corpus, "validation", maximum_tokens=recipe.maximum_tokens)
    tensors = training.tensors()
    padded = range(len(tensors))
    loader = batches(tensors, recipe.batch, seed=this_run.seed, lengths=training.lengths, padded=padded)
    torch.manual_seed(this_run.seed)
    options = json.loads((Path(words) / "config.json").read_text(encoding="utf-8"))
    options = {key: value for key, value in options.items() if key not in ("words", "annealing", DESCRIPTION)}
    annealing = round(recipe.annealing_epochs * len(loader))
    model = ChunkHRRLM(start.words, chunk_roles=recipe.chunk_roles, annealing=annealing, **options)
    model.word_level.load_state_dict(start.state_dict())
    run(
        model,
        ChunkLoss(recipe.chunk_weight),
        loader,
        recipe,
        this_run,
        data=(*tensors, *validation.tensors()),
        settings={"variant": "chunks"},
        validation=batches(
            validation.tensors(), recipe.batch, lengths=validation.lengths, padded=padded, shuffle=False
        ),
    )
    text = CorpusSpelling.of_corpus(corpus.folder).record()
    describe(this_run.folder, "hrrlm", "chunks", {"text": text, "single_sentences": True})


def load_chunks(folder: str | Path, corpus: LanguageModelingCorpus, settings: JsonObject | None = None) -> ChunkHRRLM:
    """The model that `train_chunks` saved; InputError as for `repline.systems.hrrlm.training.load_model`."""
    model = pretrained(ChunkHRRLM, folder, settings)
    check_words(model.word_level.words, folder, corpus)
    return model


class ChunkLoss:
    """loss = mean NLL of the next word + weight * mean NLL of the next chunk + isometric penalties."""

    def __init__(self, weight: float):
        self.weight = weight

    def __call__(self, model: ChunkHRRLM, batch: tuple[Tensor, ...]) -> Tensor:
        """batch: inputs, targets, number, kind, each [B, T] of a `ChunkedSentences`."""
        inputs, targets, number, kind = batch
        chunks = chunks_of(number.long(), kind.long())
        hidden, fillers = model(inputs.long(), chunks)
        scores, true = model.next_chunk_scores(fillers, chunks)
        counted = targets != IGNORED
        nats = total_nats(model.word_level, hidden[counted], targets[counted].long())
        loss = nats / counted.sum() + model.penalty()
        return loss + self.weight * cross_entropy(scores, true) if len(true) else loss


class ChunkFillers(NamedTuple):
    """The chunks of a split, in their order: fillers [n, M, d], kind [n], and (row, number in the row) of each."""

    fillers: NDArray[np.float32]
    kind: NDArray[np.int64]
    names: list[tuple[int, int]]


def chunk_fillers(model: ChunkHRRLM, sentences: ChunkedSentences, batch: int = 64) -> ChunkFillers:
    """The fillers of every chunk of some sentences."""
    device = next(model.eval().parameters()).device
    fillers, kinds, names = [], [], []
    for start in range(0, len(sentences.lengths), batch):
        rows = slice(start, start + batch)
        longest = int(sentences.lengths[rows].max())
        inputs, _, number, kind = (tensor[rows, :longest].long().to(device) for tensor in sentences.tensors())
        chunks = chunks_of(number, kind)
        with torch.inference_mode():
            fillers.append(model(inputs, chunks)[1].cpu().numpy())
        kinds.append(chunks.kind.cpu().numpy())
        for sentence, chunk_numbers_of_row in zip(sentences.sentence[rows], sentences.chunk[rows], strict=True):
            names += [(int(sentence), chunk) for chunk in chunk_numbers_of_row]
    return ChunkFillers(np.concatenate(fillers), np.concatenate(kinds), names)
