"""Sentences of a treebank as sentences about an empty scene, without triplets."""

from collections.abc import Sequence
from pathlib import Path

from repline.corpora.scenes.scene import GAP, SceneSentence, Word, coarse_of
from repline.errors import InputError
from repline.reading import conllu
from repline.reading.wrong_records import LeftOut, OnError


def treebank_sentences(
    paths: Sequence[str | Path], *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> list[SceneSentence]:
    """The sentences of CoNLL-U files, without triplets and items.

    The tag of a word is its XPOS, or its UPOS where that is not given; its lemma is its form where none is given.

    A treebank has no gaps: two question marks, which mark one in scenes, are read as one.

    Args:
        on_error: at a wrong sentence; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a file that cannot be read, or a word without a head; names the sentence.
    """
    sentences = []
    for row in conllu.read(paths, on_error=on_error, encoding=encoding):
        where = f"document {row['doc_id']}, sentence {row['sentence_id']}"
        heads = [head + 1 for head in row["head"] if head is not None]  # from 1, 0 at the root
        if len(heads) < len(row["head"]):
            raise InputError(f"{where}: a word has no head; expected a parsed treebank")
        tags = [tag or pos or "_" for tag, pos in zip(row["tag"], row["pos"], strict=True)]
        words = [
            Word("?" if form == GAP else form, lemma or form, coarse_of(tag), tag, head, dep or "dep")
            for form, lemma, tag, head, dep in zip(row["tokens"], row["lemma"], tags, heads, row["dep"], strict=True)
        ]
        sentences.append(SceneSentence(tuple(words), (), where))
    return sentences
