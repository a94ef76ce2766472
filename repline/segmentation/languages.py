"""The segmenter of any language."""

from typing import Any

from repline.segmentation import Segmenter, chinese, japanese, spaced


def segmenter(language: str, **knobs: Any) -> Segmenter:
    """The segmenter of a language: jieba for Chinese, MeCab for Japanese, spaCy's tokenizer rules for any other.

    Args:
        language: its code; of zh-tw the first part decides.
        knobs: of `repline.segmentation.chinese.segmenter`, `japanese.segmenter`, `spaced.segmenter`.

    Raises:
        TypeError: a knob that the language does not have.
        InputError: what a knob names is not there, or is broken.
    """
    primary = language.lower().partition("-")[0]
    if primary == "zh":
        return chinese.segmenter(**knobs)
    if primary == "ja":
        return japanese.segmenter(**knobs)
    return spaced.segmenter(primary, **knobs)
