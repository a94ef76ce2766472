"""Text before it is segmented: widths of characters, traditional and simplified characters."""

import functools
import re
import unicodedata
from collections.abc import Callable

from repline.errors import InputError, in_one_line, shown

_FORMS = re.compile("[\u3000\uff00-\uffef]+")  # the ideographic space, and half-width and full-width forms


def normalise_widths(text: str) -> str:
    """Full-width letters, digits and signs as ASCII, half-width katakana and hangul as full-width ones.

    >>> normalise_widths("ＡＢＣ１２３　ｶﾞｯｺｳ")
    'ABC123 ガッコウ'

    Other compatibility characters (㈱, ①, ﬁ) stay, unlike under NFKC of the whole text.
    """
    return _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


@functools.cache
def converter(conversion: str) -> Callable[[str], str]:
    """A conversion between traditional, simplified and Japanese characters by OpenCC.

    Args:
        conversion: a name of OpenCC's: t2s (traditional to simplified), s2t, tw2s, hk2s, t2jp, jp2t, ...

    Raises:
        InputError: OpenCC has no such conversion.

    Source: https://github.com/BYVoid/OpenCC
    """
    import opencc

    try:
        return opencc.OpenCC(conversion).convert
    except Exception as error:
        raise InputError(f"segmentation: OpenCC has no conversion {shown(conversion)} ({in_one_line(error)})") from None
