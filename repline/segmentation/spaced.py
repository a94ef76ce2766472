"""Words of languages that write spaces: spaCy's tokenizer rules."""

from repline.segmentation import Segmenter


def segmenter(language: str) -> Segmenter:
    """A tokenizer by spaCy's rules of a language, those of no language in particular where spaCy has none.

    Args:
        language: its code of two or three letters.
    """
    import spacy

    try:
        tokenizer = spacy.blank(language).tokenizer
    except Exception:  # no such language in spaCy, or one that needs a package that is not installed
        tokenizer = spacy.blank("xx").tokenizer
    return lambda text: {"tokens": [token.text for token in tokenizer(text) if not token.is_space]}
