"""Words of languages that write spaces: spaCy's tokenizer rules, and where asked for the morphs of each word."""

import functools
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from repline.segmentation import Segmenter, Words
from repline.segmentation.combining_marks import MARKS
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.candidates import longest_suffixes
from repline.segmentation.morphology.letters import lower_case
from repline.segmentation.morphology.segmentation_files import Segmentations, read

if TYPE_CHECKING:
    from spacy.language import BaseDefaults, Language
    from spacy.tokenizer import Tokenizer

MIN_WORDS = 5  # words that end in a morph, for it to be cut off other words
MORPHS = 4  # of a word that is not listed, at most
_MORE_ENDS = "׃།༎។៕"  # of Hebrew verses, Tibetan and Khmer, which spaCy does not know


def blank(language: str) -> "Language":
    """spaCy's empty pipeline of a language; where spaCy has none, or lacks a package for it, that of no language.

    Two rules are added to its tokenizer, for spaCy's cut marks off the letters of few scripts only: a mark at which
    sentences end (। ॥ ။ ։ and others that are no ASCII) is always a word of its own, and so is a full stop behind a
    letter with a combining mark.

    Args:
        language: its code of two or three letters.
    """
    import spacy
    from spacy.tokenizer import Tokenizer

    try:
        pipeline = spacy.blank(language)
    except ImportError:
        pipeline = spacy.blank("xx")
    if isinstance(pipeline.tokenizer, Tokenizer):  # those of Chinese and Thai have no such rules
        _add_marks(pipeline.tokenizer, pipeline.Defaults)
    return pipeline


def sentence_ends() -> list[str]:
    """The marks at which sentences end: . ! ? and those of other scripts."""
    from spacy.pipeline import Sentencizer

    return [*Sentencizer.default_punct_chars, *_MORE_ENDS]


def _add_marks(tokenizer: "Tokenizer", defaults: "type[BaseDefaults]") -> None:
    from spacy.util import compile_infix_regex, compile_suffix_regex

    ends = "".join(re.escape(mark) for mark in sentence_ends() if not mark.isascii())
    suffixes, infixes = defaults.suffixes or [], defaults.infixes or []
    rules = [*suffixes, f"[{ends}]", rf"(?<=[^\W\d_][{MARKS}])\."]
    tokenizer.suffix_search = compile_suffix_regex(rules).search
    tokenizer.infix_finditer = compile_infix_regex([*infixes, f"[{ends}]"]).finditer


def segmenter(language: str, segmentations: str | Path | None = None) -> Segmenter:
    """A tokenizer by spaCy's rules of a language, those of no language in particular where spaCy has none.

    Args:
        language: its code of two or three letters.
        segmentations: a file of words and their morphs (`repline.segmentation.morphology.segmentation_files`). Each
            word then has its `morphs`, joined by hyphens and in lower case: those of the first segmentation that the
            file lists, else what is left when the file's suffixes are cut off, the longest first.

    Raises:
        InputError: the file is not there, or has a broken line.
    """
    words = functools.partial(_words, blank(language).tokenizer)  # pickled with the model that has it, unlike a closure
    if segmentations is None:
        return words
    listed = read(segmentations, language)
    suffixes = common_suffixes(listed)

    @functools.lru_cache(maxsize=100_000)
    def morphs(word: str) -> str:
        word = lower_case(word, language)
        return "-".join(split(word, listed, suffixes))

    def split_words(text: str) -> Words:
        tokens = words(text)
        return tokens | {"morphs": [morphs(token) for token in tokens["tokens"]]}

    return split_words


def _words(tokenizer: "Tokenizer", text: str) -> Words:
    return {"tokens": [token.text for token in tokenizer(text) if not token.is_space]}


def split(word: str, listed: Segmentations, suffixes: frozenset[str], segments: int = MORPHS) -> Segmentation:
    """The first listed segmentation of a word in lower case, else by the longest suffixes."""
    return listed[word][0] if word in listed else longest_suffixes(word, suffixes, segments=segments)


def common_suffixes(listed: Segmentations, least: int = MIN_WORDS) -> frozenset[str]:
    """The morphs that stand after the first one in this many of the listed words."""
    counts = Counter(
        morph for options in listed.values() for morph in {m for segmentation in options for m in segmentation[1:]}
    )
    return frozenset(morph for morph, count in counts.items() if count >= least)
