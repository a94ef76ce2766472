"""Raw English documents as the corpus step reads them: lower-cased lemmas, with names written in one way."""

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from repline.corpora.annotation import annotated
from repline.corpora.entities.entity_recognition import EntityRecogniser
from repline.corpora.entities.name_rewriting import rewrite
from repline.corpora.entities.recipes import Base, Mode, RuleSet

_PARAGRAPH = re.compile(r"\n\s*\n")  # as in `repline.corpora.entities.entity_corpus`


class RawDocuments:
    """Splits raw documents into sentences and lemmas by spaCy, finds their names, and writes these in one way.

    Args:
        mode: a way of writing names.
        rules, base: how the names of the training documents were found, of `EntityRecogniser`. Names that came with the
            training documents (`given`) are found by spaCy in raw text.
        gazetteers: lists of names for the rules.
    """

    def __init__(self, mode: Mode, rules: Sequence[RuleSet], base: Base, gazetteers: Sequence[str | Path] = ()):
        self.mode, self.rules, self.base, self.gazetteers = mode, rules, base, gazetteers

    def __getstate__(self) -> dict[str, Any]:
        """The attributes without the recogniser, which a copy loads again: spaCy's open memory cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "recogniser"}

    @cached_property
    def recogniser(self) -> EntityRecogniser:
        """The rules over spaCy's entities; to load them takes seconds."""
        base: Base = "none" if self.base == "none" else "given"  # the annotation of a raw text has spaCy's entities
        return EntityRecogniser(self.gazetteers, self.rules, base=base)

    def tokens(self, texts: Sequence[str]) -> list[list[str]]:
        """The tokens of each raw text; none for a text without a word."""
        paragraphs = [
            (row, " ".join(paragraph.split()))
            for row, text in enumerate(texts)
            for paragraph in _PARAGRAPH.split(text)
            if paragraph.strip()
        ]
        tokens: list[list[str]] = [[] for _ in texts]
        if not paragraphs:
            return tokens
        sentences = [
            (row, sentence)
            for (row, _), paragraph_sentences in zip(
                paragraphs, annotated([text for _, text in paragraphs], "en"), strict=True
            )
            for sentence in paragraph_sentences
        ]
        recognised = self.recogniser.tag(
            [sentence["tokens"] for _, sentence in sentences], [sentence["entity"] for _, sentence in sentences]
        )
        for (row, sentence), tags in zip(sentences, recognised.tags, strict=True):
            lemmas = zip(sentence["tokens"], sentence["lemma"], strict=True)
            tokens[row] += rewrite([lemma or token for token, lemma in lemmas], tags, self.mode)
        return tokens
