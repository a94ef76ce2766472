"""Word segmentation: one function a language, each `segmenter(**knobs)`, and each result the same kind of function.

A `Segmenter` takes a text of one line and returns equally long lists: `tokens` and what it knows of each, of `lemma`
(the base form), `tag` (part of speech, in the segmenter's own tag set) and `reading`. White space is no token.
"""

from collections.abc import Callable

Words = dict[str, list[str]]
Segmenter = Callable[[str], Words]
