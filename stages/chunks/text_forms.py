"""The forms of text that chunk taggers are made for."""

from pathlib import Path

from repline.corpora.chunks.chunked_sentences import Chunked, as_running_text
from repline.corpora.language_modeling.text_sources import read_sentences
from repline.corpora.language_modeling.word_streams import Spelling


def in_form(chunked: Chunked, form: str, vocabulary: frozenset[str]) -> Chunked:
    """The sentences as a tagger of this form sees them."""
    return as_running_text(chunked, vocabulary) if form == "running" else chunked


def vocabulary_of(corpus: str) -> frozenset[str]:
    """The words of data/`corpus` as running text; all others are `<unk>` to a tagger of running text."""
    sentences = read_sentences(Path("data") / corpus)
    spelling = Spelling() if sentences.ready else Spelling(True, True, True)
    words: set[str] = set()
    for split, batch in sentences.batches():
        if split in (None, "train"):
            words.update(spelling.words(batch["tokens"].flatten().unique()).to_pylist())
    return frozenset(words)
