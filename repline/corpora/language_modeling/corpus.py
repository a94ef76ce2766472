"""Corpora for language modelling: a stream of word numbers per split, and the annotated sentences of its words.

    folder/
      vocabulary.parquet                 word, count; the row is the id: 0 <unk>, 1 <eos>, then by falling count
      {train,validation,test}/
        ids.npy         int32 [T]        the words of every sentence, each sentence closed by <eos>
        sentences.npy   int64 [S + 1]    sentence s is ids[sentences[s] : sentences[s + 1]], its <eos> included
        position.npy    int16 [T]        which token of its annotated sentence a word is; -1 for <eos>
        rows.parquet    S rows           the annotated sentences: doc_id, sentence_id, tokens, and what else there is
      card.json

The vocabulary holds every type of train; `LanguageModelingCorpus.load` gives a view with the most frequent ones.

    corpus = LanguageModelingCorpus.load("data/corpora/language_modeling", vocabulary=10_000)
    corpus.ids("train")     # int32 [T]
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_of_source, read_card, write_card
from repline.corpora.language_modeling.cut_stream import CutStream
from repline.corpora.language_modeling.recipes import LONGEST, StreamCorpus
from repline.corpora.language_modeling.text_sources import SPLITS, read_sentences, splitter_of_source
from repline.corpora.language_modeling.word_streams import UNKNOWN_ID, Spelling, Streams, document_splits
from repline.errors import InputError, in_one_line, readable, shown
from repline.files import new_folder
from repline.reading.settings import recipe_values
from repline.reading.wrong_records import LeftOut

UNKNOWN, END = "<unk>", "<eos>"
VOCABULARY = pa.schema([("word", pa.string()), ("count", pa.int64())])
BY_DEFAULT = StreamCorpus()


def build(source: str | Path, folder: str | Path, recipe: StreamCorpus = BY_DEFAULT) -> Card:
    """Write a corpus for language modelling into `folder`, all or nothing.

    A split that the source has is kept. Otherwise whole documents go to test, then to validation, in the order of a
    seeded hash of their names until the shares are reached; the rest is train. Inside a split, documents and sentences
    keep the order of the source, so that a sentence may be predicted from those before it.

    Args:
        source: a folder as in `repline.corpora.language_modeling.text_sources.read_sentences`.
        folder: replaces what was there.

    Returns:
        the card.

    Raises:
        InputError: a source that cannot be read or has too few documents; a sentence of more than 32,767 tokens.
    """
    card = card_of_source(source)
    left_out = LeftOut(recipe.on_error)
    sentences = read_sentences(source, on_error=left_out, encoding=recipe.encoding)
    spelling = Spelling() if sentences.ready else Spelling(recipe.lowercase, recipe.numbers, not recipe.punctuation)
    shares = {"test": recipe.test_share, "validation": recipe.validation_share}
    split_of = document_splits(sentences, shares, recipe.seed)
    longest = recipe.maximum_tokens or LONGEST
    with new_folder(folder) as partial:
        streams = Streams(partial, sentences.schema, spelling, longest, recipe.train_tokens)
        for split, batch in sentences.batches():
            streams.add(batch, split or split_of(batch), limited=recipe.maximum_tokens is not None)
        counts = streams.close()
        for split in SPLITS:
            if not counts[f"{split}_sentences"]:
                raise InputError(
                    f"{source}: no sentence with words is left for {split}; take a source with more documents, or "
                    "other shares and limits"
                )
        words, number = streams.vocabulary()
        pq.write_table(pa.table([words, number], schema=VOCABULARY), partial / "vocabulary.parquet", compression="zstd")
        return write_card(
            partial,
            name=f"{card['name']}: language modelling",
            description="Sentences as one stream of numbered words per split",
            licence=card["licence"],
            sources=[{"corpus": card}],
            parameters={
                **recipe_values(recipe, include=set(StreamCorpus.model_fields)),
                "splitter": splitter_of_source(source, sentences),
            },
            counts=counts | {"vocabulary": len(words)} | sentences.counts | left_out.counts(),
            notes=left_out.notes(),
            tools=("numpy", "pyarrow"),
        )


@dataclass(frozen=True)
class LanguageModelingCorpus:
    """A corpus on disk, seen with the most frequent words of train; every rarer word is id 0, `<unk>`.

    Attributes:
        folder: where it lies.
        words: V words, the id of each being its index; `<unk>` and `<eos>` are the first two.
        counts: int64 [V], how often each occurs in train; that of `<unk>` includes the words that it replaces.
    """

    folder: Path
    words: list[str]
    counts: NDArray[np.int64]
    whole: bool  # no word of train is replaced
    index: dict[str, int] = field(repr=False)  # word -> id
    _open: dict[Path, NDArray] = field(default_factory=dict, repr=False, compare=False)  # what is mapped already

    @classmethod
    def load(
        cls, folder: str | Path, vocabulary: int | None = None, minimum_count: int = 1
    ) -> "LanguageModelingCorpus":
        """Open a corpus that `build` wrote.

        Args:
            vocabulary: V, how many words to keep, `<unk>` and `<eos>` included; None for all.
            minimum_count: words that are rarer in train are replaced.

        Raises:
            InputError: the folder is no such corpus, or has fewer than V words of that count.
        """
        folder = Path(folder)
        read_card(folder)
        if not (folder / "vocabulary.parquet").exists() or not (folder / "train").is_dir():
            raise InputError(
                f"{folder}: this is no corpus for language models; add it to language_modeling.corpora of params.yaml, "
                "and use the corpus that is built from it"
            )
        table = _table(folder / "vocabulary.parquet", VOCABULARY.names)
        counts = table["count"].to_numpy().astype(np.int64)
        vocabulary_size = 2 + int(np.searchsorted(-counts[2:], -minimum_count, side="right"))  # counts fall
        if vocabulary is not None:
            if vocabulary < 3:
                raise InputError(f"expected a vocabulary of 3 or more ({UNKNOWN}, {END} and words), found {vocabulary}")
            if vocabulary_size < vocabulary:
                often = f" that occur {minimum_count} times" if minimum_count > 1 else ""
                raise InputError(
                    f"{folder}: the training text has {vocabulary_size:,} words{often}, and {vocabulary:,} were asked "
                    "for; ask for fewer, or take more text"
                )
            vocabulary_size = vocabulary
        words = table["word"].slice(0, vocabulary_size).to_pylist()
        view = counts[:vocabulary_size].copy()
        view[UNKNOWN_ID] += counts[vocabulary_size:].sum()
        return cls(
            folder, words, view, vocabulary_size == len(counts), {word: number for number, word in enumerate(words)}
        )

    def __len__(self) -> int:
        """The number of words of the vocabulary, V."""
        return len(self.words)

    def ids(self, split: str) -> NDArray[np.int32] | CutStream:
        """The words of a split in their order, int32 [T], memory-mapped."""
        ids = self._array(split, "ids")
        return ids if self.whole else CutStream(ids, len(self.words), UNKNOWN_ID)

    def sentences(self, split: str) -> NDArray[np.int64]:
        """Where the sentences begin and end in `ids`, int64 [S + 1], memory-mapped."""
        return self._array(split, "sentences")

    def position(self, split: str) -> NDArray[np.int16]:
        """Which token of its row each word is, int16 [T], -1 for `<eos>`; memory-mapped."""
        return self._array(split, "position")

    def rows(self, split: str, columns: list[str] | None = None) -> pa.Table:
        """The annotated sentences of a split, S rows; InputError if a column (`head`, `chunk`, ...) is not there."""
        self._array(split, "sentences")
        return _table(self.folder / split / "rows.parquet", columns)

    def _array(self, split: str, name: str) -> NDArray:
        if split not in SPLITS:
            raise InputError(f"{self.folder}: there is no split {shown(split)}; there are {', '.join(SPLITS)}")
        path = self.folder / split / f"{name}.npy"
        try:
            if path not in self._open:
                self._open[path] = np.load(path, mmap_mode="r", allow_pickle=False)
            return self._open[path]
        except (OSError, ValueError, EOFError) as error:
            raise InputError(
                f"{path}: this array cannot be read ({in_one_line(error)}); make the corpus again"
            ) from None


def _table(path: Path, columns: list[str] | None) -> pa.Table:
    try:
        names = pq.read_schema(path).names
        missing = [name for name in columns or () if name not in names]
        if missing:
            raise InputError(
                f"{path}: expected the column {', '.join(missing)}, found {readable(', '.join(names))}; build the "
                "corpus "
                "from "
                "one that has it"
            )
        return pq.read_table(path, columns=columns)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(
            f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
        ) from None
