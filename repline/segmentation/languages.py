"""The segmenter of any language."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from repline.errors import shown
from repline.segmentation import Segmenter, chinese, japanese, spaced
from repline.segmentation.primary_language import primary_language


def segmenter(language: str, **knobs: Any) -> Segmenter:
    """The segmenter of a language: jieba for Chinese, MeCab for Japanese, spaCy's tokenizer rules for any other.

    Args:
        language: its code; of zh-tw and zh_TW the first part decides.
        knobs: of `repline.segmentation.chinese.segmenter`, `japanese.segmenter`, `spaced.segmenter`.

    Raises:
        TypeError: a knob that the language does not have.
        InputError: a code of no language, or what a knob names is not there, or is broken.
    """
    primary = primary_language(language)
    if primary == "zh":
        return _with(chinese.segmenter, knobs)
    if primary == "ja":
        return _with(japanese.segmenter, knobs)
    return _with(functools.partial(spaced.segmenter, primary), knobs)


def _with(make: Callable[..., Segmenter], knobs: dict[str, Any]) -> Segmenter:
    settings = list(inspect.signature(make).parameters)
    for name in knobs:
        if name not in settings:
            raise TypeError(f"its segmenter has no setting {shown(name)}; it has {', '.join(settings)}")
    return make(**knobs)
