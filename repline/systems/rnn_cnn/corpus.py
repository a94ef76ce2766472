"""Ordered text as one stream of word numbers, and its pairs of a sentence and the words that follow it.

    folder/
      vocabulary.parquet    word, count; V words, the most frequent first; the number of a word is its row + 1
      stream.npy            int32 [T], the words of all documents; 0 is a word outside the vocabulary
      sentences.npy         int64 [S + 1], where each sentence begins in the stream, and the end of the last
      documents.npy         int64 [D + 1], the first sentence of each document, and S
      borders.npy           int64 [D], the sentence of each document where its held-out part begins
      card.json

Pair i: source is sentence i; target the N words after it, across the ends of sentences and never of a document, and
never from the training part into the held-out one. Sentences with fewer than N words behind them are no sources.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, read_card, splitter_of, write_card
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.reading.settings import TableReading
from repline.systems.rnn_cnn.ordered_text import read_documents
from repline.systems.rnn_cnn.settings import Text

VOCABULARY = pa.schema([("word", pa.string()), ("count", pa.int64())])
UNKNOWN = 0
ARRAYS = ("stream", "sentences", "documents", "borders")


@dataclass(frozen=True)
class Corpus:
    """The corpus of a folder; the arrays are described at the head of this file."""

    words: Sequence[str]
    counts: NDArray[np.int64]  # [V]
    stream: NDArray[np.int32]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]
    borders: NDArray[np.int64]
    splitter: str  # of most sentences, see `repline.segmentation.word_splitters`

    def pairs(self, targets: int, held_out: bool = False) -> NDArray[np.int64]:
        """The sentences [P] that have at least `targets` words of the same document and part behind them."""
        document = np.repeat(np.arange(len(self.borders)), np.diff(self.documents))  # [S]
        held = np.arange(len(document)) >= self.borders[document]
        next_part = np.where(held, self.documents[1:][document], self.borders[document])  # [S], a sentence
        room = self.sentences[next_part] - self.sentences[1:]
        return np.flatnonzero((held == held_out) & (room >= targets))

    def following(self, pairs: NDArray[np.int64], targets: int) -> NDArray[np.int32]:
        """The targets of pairs, [P, N]."""
        return self.stream[self.sentences[pairs + 1][:, None] + np.arange(targets)]

    def unigram_nats(self, targets: NDArray[np.int32]) -> NDArray[np.float64]:
        """Mean -log p(w) of the known targets of each pair [P], p by the counts of training; nan without one.

        Args:
            targets: [P, N].
        """
        nats = -np.log(np.concatenate([[1.0], self.counts / self.counts.sum()]))
        is_known = targets != UNKNOWN
        return (nats[targets] * is_known).sum(1) / np.where(is_known.any(1), is_known.sum(1), np.nan)


def write_corpus(
    folder: str | Path,
    text: Text,
    data: str | Path = "data",
    *,
    fewer_words: bool = False,
    **reading: Unpack[TableReading],
) -> Card:
    """Write ordered text as a corpus folder, all or nothing.

    Args:
        folder: replaces what was there.
        text: sources are places in `data`.
        fewer_words: a text with fewer words than V has a vocabulary of all of them.
        reading: what a line outside the encoding does, and the encoding.

    Returns:
        the card.

    Raises:
        InputError: a source that cannot be read, or too little text; fewer words than V, unless `fewer_words`.
    """
    sources = [Path(data) / source for source in text.sources]
    cards = [card_or_files(source) for source in sources]
    names, lengths, starts, borders = [], [0], [0], []
    sentences: list[Sequence[str]] = []
    sentences_by_splitter, left_out = Counter[str](), Counter[str]()
    for source, card in zip(sources, cards, strict=True):
        for name, document in read_documents(source, text.documents, text.sentences, **reading):
            fitting = [sentence for sentence in document if text.shortest <= len(sentence) <= text.longest]
            long = sum(len(sentence) > text.longest for sentence in document)
            left_out += Counter(long_sentences=long, short_sentences=len(document) - len(fitting) - long)
            if not fitting:
                continue
            names.append(name)
            borders.append(starts[-1] + len(fitting) - round(text.held_out * len(fitting)))
            starts.append(starts[-1] + len(fitting))
            lengths += map(len, fitting)
            sentences += fitting
            sentences_by_splitter[splitter_of(card)] += len(fitting)
    if not sentences:
        raise InputError(
            f"{', '.join(map(str, sources))}: there is no sentence of {text.shortest} to {text.longest} words"
        )
    trained = np.zeros(len(sentences), bool)
    for start, border in zip(starts, borders, strict=False):
        trained[start:border] = True
    counted = Counter(word for sentence, used in zip(sentences, trained, strict=True) if used for word in sentence)
    if len(counted) < text.vocabulary and not fewer_words:
        raise InputError(
            f"{', '.join(map(str, sources))}: the text has {len(counted):,} different words, and a vocabulary of "
            f"{text.vocabulary:,} was asked for; ask for fewer, or take more text"
        )
    frequent = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[: text.vocabulary]
    words, counts = (list(column) for column in zip(*frequent, strict=True))
    number = {word: row for row, word in enumerate(words, 1)}
    stream = np.fromiter((number.get(word, UNKNOWN) for sentence in sentences for word in sentence), np.int32)
    arrays = stream, np.cumsum(lengths), np.array(starts), np.array(borders)
    with new_folder(folder) as partial:
        table = pa.table([pa.array(words), pa.array(counts, pa.int64())], schema=VOCABULARY)
        pq.write_table(table, partial / "vocabulary.parquet", compression="zstd")
        for name, array in zip(ARRAYS, arrays, strict=True):
            np.save(partial / f"{name}.npy", array)
        return write_card(
            partial,
            name="Ordered text",
            description="Documents as one stream of numbered words, with where sentences and documents begin",
            licence="; ".join(dict.fromkeys(str(card.get("licence", "that of your own files")) for card in cards)),
            sources=[{"corpus": card} for card in cards],
            parameters={
                **text.model_dump(exclude={"sources"}),
                "splitter": sentences_by_splitter.most_common(1)[0][0],
            },
            counts={
                "documents": len(names),
                "sentences": len(sentences),
                "tokens": len(stream),
                "unknown_tokens": int((stream == UNKNOWN).sum()),
                "vocabulary": len(words),
                **{f"left_out_{why}": left_out[why] for why in ("short_sentences", "long_sentences")},
            },
            tools=("numpy", "pyarrow"),
        )


def read_corpus(folder: str | Path) -> Corpus:
    """Read the corpus that `write_corpus` wrote; InputError where a file is missing or damaged."""
    folder = Path(folder)
    try:
        table = pq.read_table(folder / "vocabulary.parquet")
        arrays = [np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS]
    except (OSError, ValueError, EOFError, pa.ArrowInvalid) as error:
        raise InputError(
            f"{folder}: this is no whole corpus of ordered text ({in_one_line(error)}); make it again"
        ) from None
    stream, sentences, documents, borders = arrays
    words, counts = table["word"].to_pylist(), table["count"].to_numpy()
    return Corpus(words, counts, stream, sentences, documents, borders, splitter_of(read_card(folder)))
