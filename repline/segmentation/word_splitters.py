"""How sentences of a corpus were split into words, by the name that its card records, and the same for raw text.

treebank      after the conventions of the Penn Treebank
blanks        between blanks, as the words stand in the files of the corpus
en, zh, ...   by the segmenter of a language: spaCy's tokenizer for English
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from repline.cards import TREEBANK
from repline.errors import InputError, shown
from repline.segmentation import languages, treebank
from repline.segmentation.recipes import BLANKS


@functools.cache
def word_splitter(name: str) -> Callable[[str], list[str]]:
    """The function from a sentence to its words, by its name as at the head of this file."""
    if name == BLANKS:
        return str.split
    if name == TREEBANK:
        return treebank.words
    segment = languages.segmenter(name)
    return lambda sentence: segment(sentence)["tokens"]


def recorded_splitter(values: Mapping[str, Any], path: str) -> str:
    """The splitter that raw_input.json of a model names, `treebank` where it names none.

    Raises:
        InputError: it is no name; the message names `path`.
    """
    name = values.get("splitter", TREEBANK)
    if not isinstance(name, str) or not name:
        raise InputError(f"{path}: expected splitter, {TREEBANK}, {BLANKS} or a language, found {shown(name)}")
    return name
