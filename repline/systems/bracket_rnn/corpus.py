"""A corpus for language modelling with brackets around its optional constituents, kept apart or put in line.

folder/
  {train,validation,test}/
    tree.npy      uint8 [2, T]   for each word of the corpus, how many brackets open before and close after it
    random.npy    uint8 [2, T]   the same for the control: as many pairs of the same lengths at random places
  card.json                      counts: optional subtrees, those that are discontinuous, pairs, depth

write("data/corpora/language_modeling", folder, settings.load().constituents)
corpus = BracketedCorpus(LanguageModelingCorpus.load("data/corpora/language_modeling"), folder, "tree")
corpus.ids("train")         # words and brackets, V being ( and V + 1 being )
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.cards import Card, read_card, write_card
from repline.corpora.language_modeling.corpus import SPLITS, LanguageModelingCorpus
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.systems.bracket_rnn.optional_constituents import (
    WRITTEN,
    Spans,
    bracket_numbers,
    check_balanced,
    linearise,
    nesting,
    optional_spans,
    optional_tokens,
    random_spans,
)
from repline.systems.bracket_rnn.settings import Brackets, Constituents

_BLOCK = 100_000  # sentences at once


def write(
    corpus: str | Path,
    folder: str | Path,
    constituents: Constituents,
) -> Card:
    """Find the optional constituents of a corpus for language modelling and write them into `folder`, all or nothing.

    Args:
        corpus: a folder of `corpora.language_modeling.corpus.build`, of a source with the columns `head` and `dep`.
        folder: replaces what was there.
        constituents: which subtrees are optional constituents.

    Returns:
        the card.

    Raises:
        InputError: the corpus has no parse, one that is broken, or one with other relations than the lists name.
    """
    source = LanguageModelingCorpus.load(corpus)
    card = read_card(corpus)
    counts: dict[str, int] = {}
    with new_folder(folder) as partial:
        for number, split in enumerate(SPLITS):
            sentences = np.asarray(source.sentences(split))
            spans, counts_of_split = _spans(source, split, constituents)
            control = random_spans(spans, np.diff(sentences) - 1, constituents.seed * len(SPLITS) + number)
            (partial / split).mkdir()
            for name, split_spans in (("tree", spans), ("random", control)):
                opening, closing, depth = bracket_numbers(split_spans, sentences)
                check_balanced(opening, closing, sentences)
                np.save(partial / split / f"{name}.npy", np.stack([opening, closing]))
                counts_of_split[f"{name}_depth"] = depth["depth"]
            counts |= {f"{split}_{key}": value for key, value in counts_of_split.items()}
            counts |= {f"{split}_sentences": len(sentences) - 1}
        return write_card(
            partial,
            name=f"{card['name']}: optional constituents",
            description="Brackets around the optional constituents of every sentence, and a random control",
            licence=card["licence"],
            sources=[{"corpus": card}],
            parameters={
                **constituents.relations.model_dump(),
                **constituents.model_dump(include={"minimum_length", "collapse", "seed"}),
            },
            counts=counts,
            tools=("numpy", "pyarrow"),
        )


@dataclass(frozen=True)
class BracketedCorpus:
    """A corpus for language modelling whose streams have brackets in line; it is used like that corpus.

    Attributes:
        corpus: the words, V of them.
        folder: of `write`, made of the same corpus.
        brackets: tree, random or none; with none the streams are those of `corpus`.
        shortest, longest: only sentences of this many words, brackets and `<eos>` not counted.
        first: by split, only the first N of these sentences; splits that it does not name are whole.
    """

    corpus: LanguageModelingCorpus
    folder: Path | None = None
    brackets: Brackets = "none"
    shortest: int = 1
    longest: int | None = None
    first: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """V names; brackets of the text itself are -lrb- and -rrb-."""
        return [WRITTEN.get(word, word) for word in self.corpus.words]

    def __len__(self) -> int:
        """V, without the two brackets, which are V and V + 1 in the streams."""
        return len(self.corpus)

    def ids(self, split: str) -> NDArray[np.int32]:
        """Words and brackets of the chosen sentences in their order, int32."""
        return self._streams(split)[0]

    def sentences(self, split: str) -> NDArray[np.int64]:
        """Where they begin and end in `ids`, int64 [S + 1]."""
        return self._streams(split)[1]

    def depth(self, split: str) -> int:
        """The deepest nesting."""
        return int(nesting(*self._numbers(split)).max(initial=0)) if self.brackets != "none" else 0

    def _streams(self, split: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        ids, sentences = np.asarray(self.corpus.ids(split)), np.asarray(self.corpus.sentences(split))
        is_chosen = self._chosen(split, sentences)
        length = np.diff(sentences)
        is_word = np.repeat(is_chosen, length)
        sentences = np.cumsum([0, *length[is_chosen]])
        if self.brackets == "none":
            return ids[is_word], sentences
        opening, closing = self._numbers(split)[:, is_word]
        stream, positions = linearise(ids[is_word], opening, closing, len(self), len(self) + 1)
        return stream, np.append(0, positions[sentences[1:] - 1] + 1)  # an <eos> has no bracket of its own

    def _chosen(self, split: str, sentences: NDArray[np.int64]) -> NDArray[np.bool_]:
        words = np.diff(sentences) - 1
        is_chosen = (words >= self.shortest) & (words <= (self.longest or words.max(initial=0)))
        first = self.first.get(split)
        if first is not None:
            is_chosen &= np.cumsum(is_chosen) <= first
        if not is_chosen.any():
            raise InputError(
                f"{self.corpus.folder}: {split} has no sentence of {self.shortest} to {self.longest} words; "
                "change the limits"
            )
        return is_chosen

    def _numbers(self, split: str) -> NDArray[np.uint8]:
        path = Path(self.folder or "") / split / f"{self.brackets}.npy"
        try:
            numbers = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"{path}: these brackets cannot be read ({in_one_line(error)}); make them again") from None
        sentences = np.asarray(self.corpus.sentences(split))
        if numbers.shape != (2, int(sentences[-1])):
            raise InputError(
                f"{path}: brackets for {numbers.shape[-1]:,} words, and {self.corpus.folder} has {sentences[-1]:,}; "
                "make them again from this corpus"
            )
        try:
            check_balanced(numbers[0], numbers[1], sentences)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        return numbers


def _spans(
    corpus: LanguageModelingCorpus,
    split: str,
    constituents: Constituents,
) -> tuple[Spans, dict[str, int]]:
    """The optional constituents of a split, and what became of all optional subtrees."""
    rows = corpus.rows(split, ["head", "dep"])
    sentences, position = np.asarray(corpus.sentences(split)), np.asarray(corpus.position(split))
    parts: list[Spans] = []
    counts: dict[str, int] = {}
    for block in range(0, max(len(rows), 1), _BLOCK):
        block_rows = rows.slice(block, _BLOCK)
        head, dep = (block_rows[name].combine_chunks() for name in ("head", "dep"))
        if head.null_count or dep.null_count or head.flatten().null_count:
            raise InputError(f"{corpus.folder}: {split} has sentences without a parse (head, dep); parse the source")
        offsets = head.offsets.to_numpy().astype(np.int64)
        offsets = offsets - offsets[0]
        begin, end = sentences[block], sentences[block + len(block_rows)]
        row = np.repeat(np.arange(len(block_rows)), np.diff(sentences[block : block + len(block_rows) + 1]))
        words = position[begin:end] >= 0
        is_word = np.zeros(int(offsets[-1]), bool)
        is_word[offsets[row[words]] + position[begin:end][words]] = True
        try:
            tokens = optional_tokens(dep.flatten(), constituents.relations.optional, constituents.relations.required)
            spans, counts_of_block = optional_spans(
                head.flatten().to_numpy(),
                offsets,
                tokens,
                is_word,
                minimum_length=constituents.minimum_length,
                collapse=constituents.collapse,
            )
        except InputError as error:
            raise InputError(f"{corpus.folder}, {split}: {error}") from None
        parts.append(Spans(spans.sentence + block, spans.start, spans.end))
        counts = {key: counts.get(key, 0) + value for key, value in counts_of_block.items()}
    joined = (np.concatenate([getattr(part, name) for part in parts]) for name in ("sentence", "start", "end"))
    return Spans(*joined), counts
