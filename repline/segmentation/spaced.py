"""Words of languages that write spaces: spaCy's tokenizer rules."""

from typing import TYPE_CHECKING

from repline.segmentation import Segmenter

if TYPE_CHECKING:
    from spacy.language import Language


def blank(language: str) -> "Language":
    """spaCy's empty pipeline of a language; where spaCy has none, or lacks a package for it, that of no language.

    Args:
        language: its code of two or three letters.
    """
    import spacy

    try:
        return spacy.blank(language)
    except ImportError:
        return spacy.blank("xx")


def segmenter(language: str) -> Segmenter:
    """A tokenizer by spaCy's rules of a language, those of no language in particular where spaCy has none.

    Args:
        language: its code of two or three letters.
    """
    tokenizer = blank(language).tokenizer
    return lambda text: {"tokens": [token.text for token in tokenizer(text) if not token.is_space]}
