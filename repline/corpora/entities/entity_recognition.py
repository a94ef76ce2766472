"""Entities of sentences: spaCy's recogniser, with rules over it."""

import importlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from repline.corpora.annotation import BATCH, MODELS
from repline.corpora.entities.entity_rules import Pattern, maximal, patterns, untyped_names
from repline.corpora.entities.entity_types import UNTYPED
from repline.corpora.entities.gazetteers import read
from repline.corpora.entities.recipes import RULE_SETS, Base, RuleSet
from repline.segmentation import spaced

LEMMATIZER = ("tok2vec", "tagger", "attribute_ruler", "lemmatizer")  # with what it needs
FILTER = "repline.maximal_spans.v1"
FORGOTTEN_AFTER = 1_000_000  # tokens: spaCy keeps every word that it has met, and memory would grow with the corpus


class Recognised(NamedTuple):
    """IOB2 tags of each sentence and, where they were asked for, its lemmas."""

    tags: list[list[str]]
    lemmas: list[list[str]] | None


class EntityRecogniser:
    """Finds the named entities of English sentences.

    Args:
        gazetteers: files or folders as in `repline.corpora.entities.gazetteers.read`.
        rules: names of rule sets; an empty list leaves spaCy's recogniser alone.
        base: what the rules lie over: spaCy's recogniser, entities that are given with the sentences, or nothing.
        lemmas: find the words' lemmas too.

    Raises:
        InputError: a gazetteer that cannot be read.
    """

    def __init__(
        self,
        gazetteers: Sequence[str | Path] = (),
        rules: Sequence[RuleSet] = RULE_SETS,
        *,
        base: Base = "spacy",
        lemmas: bool = False,
    ) -> None:
        entries = [entry for gazetteer in gazetteers for entry in read(gazetteer)]
        self.untyped, self.lemmas, self.base = "untyped" in rules, lemmas, base
        self.pipeline = _pipeline([*(LEMMATIZER if lemmas else ()), *(["ner"] if base == "spacy" else ())])
        if rule_patterns := patterns(entries, rules, self.pipeline.Defaults.stop_words):
            self._add_rules(rule_patterns)
        self._zone, self._met = ExitStack(), 0

    def tag(self, sentences: Sequence[Sequence[str]], base_tags: Sequence[Sequence[str]] | None = None) -> Recognised:
        """The entities of sentences of words.

        Args:
            sentences: each is recognised by itself.
            base_tags: IOB2 tags of the same sentences, which the rules lie over where `base` says so.

        Returns:
            IOB2 tags with OntoNotes labels, and `NAME` for a name without a type. How the sentences are cut into calls
            may change the last bits of spaCy's sums.
        """
        from spacy.tokens import Doc

        self._forget(sum(map(len, sentences)))
        vocabulary = self.pipeline.vocab
        documents = (
            Doc(
                vocabulary,
                words=list(words),
                ents=list(base_tags[number]) if base_tags and self.base == "given" else None,
            )
            for number, words in enumerate(sentences)
        )
        tags, lemmas = [], []
        for words, document in zip(sentences, self.pipeline.pipe(documents, batch_size=BATCH), strict=True):
            tags.append(self._tags(words, document.ents))
            if self.lemmas:
                lemmas.append([token.lemma_ for token in document])
        return Recognised(tags, lemmas if self.lemmas else None)

    def _forget(self, tokens: int) -> None:
        """Open a memory zone of spaCy, in place of one in which enough words were met."""
        if not self._met or self._met + tokens > FORGOTTEN_AFTER:
            self._zone.close()
            self._zone.enter_context(self.pipeline.memory_zone())
            self._met = 0
        self._met += max(tokens, 1)

    def _tags(self, words: Sequence[str], entities: Sequence) -> list[str]:
        tags = ["O"] * len(words)
        spans = [(span.start, span.end, span.label_) for span in entities]
        for start, end, label in spans:
            tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)
        for start, end in untyped_names(words, tags, self.pipeline.Defaults.stop_words) if self.untyped else ():
            tags[start:end] = [f"B-{UNTYPED}"] + [f"I-{UNTYPED}"] * (end - start - 1)
        return tags

    def _add_rules(self, rule_patterns: list[Pattern]) -> None:
        import spacy

        spacy.registry.misc(FILTER, func=lambda: maximal)
        settings = {"spans_key": None, "annotate_ents": True, "overwrite": False, "ents_filter": {"@misc": FILTER}}
        ruler = self.pipeline.add_pipe("span_ruler", config=settings)
        with self.pipeline.select_pipes(enable=["span_ruler"]):  # names are only split into words
            ruler.add_patterns(rule_patterns)


def _pipeline(components: Sequence[str]):
    """spaCy's English pipeline of these components alone."""
    if not components:
        return spaced.blank("en")
    model = importlib.import_module(MODELS["en"])
    pipeline = model.load()
    for name in [name for name in pipeline.pipe_names if name not in components]:
        pipeline.remove_pipe(name)
    return pipeline
