"""Where a sentence may begin in running text of any script, and the marks at which one ends."""

import re

ENDS = ".!?؟۔।॥"  # Latin, Arabic, Urdu, Hindi
_FIRST = re.compile(r"\s*[\"'“‘„‚»«(\[¿¡]*([^\W_])")


def begins_sentence(text: str, position: int) -> bool:
    """Whether a number or a word whose first letter is not small stands here, which can begin a sentence.

    Opening quotes and brackets may come first. Letters of scripts without case are not small.

    >>> begins_sentence("„Über", 0), begins_sentence("über", 0), begins_sentence("나는", 0), begins_sentence("Она", 0)
    (True, False, True, True)
    """
    first = _FIRST.match(text, position)
    return first is not None and not first[1].islower()
