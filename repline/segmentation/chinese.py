"""Chinese words by jieba.

Source: https://github.com/fxsjy/jieba
"""

import functools
import hashlib
import io
import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from repline.errors import InputError, shown
from repline.reading.file_names import present
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import numbered_lines
from repline.segmentation import Segmenter, Words

Mode = Literal["precise", "search"]
# a word, and after it how often it occurs, its part of speech, or both
_ENTRY = re.compile(r"\S+( [0-9]+)?( [a-z]+)?")


def segmenter(
    mode: Mode = "precise",
    hmm: bool = True,
    dictionary: str | Path | None = None,
    own_words: str | Path | None = None,
    tags: bool = False,
) -> Segmenter:
    """A segmenter of Chinese text, simplified or traditional.

    Args:
        mode: precise, every character in one word; or search, which adds the words inside long words before these.
        hmm: find words that are in no dictionary by jieba's hidden Markov model.
        dictionary: a file to use instead of jieba's own: a word, its count and its part of speech a line.
        own_words: a file of words that are added: a word, and where known its count and its part of speech a line.
        tags: give each word its part of speech (ICTCLAS tags), at about a quarter of the speed.

    Raises:
        InputError: a dictionary that is missing or has a broken line (for tags, also one without a part of speech), or
            tags in search mode.
    """
    if tags and mode == "search":
        raise InputError("segmentation: jieba tags words in mode precise alone; leave out tags or mode: search")
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    if dictionary is not None:
        entries = _entries(Path(dictionary), counted=True, tagged=tags)
        tokenizer = jieba.Tokenizer(str(present(dictionary).resolve()))
        tokenizer.get_dict_file = lambda: io.BytesIO(entries)
        tokenizer.cache_file = f"jieba.{hashlib.sha256(entries).hexdigest()}.cache"  # in the folder for temporary files
    if own_words is not None:
        tokenizer.load_userdict(io.BytesIO(_entries(Path(own_words), counted=False, tagged=False)))
    if tags:
        from jieba.posseg import POSTokenizer

        tagger = POSTokenizer(tokenizer)

        def tagged(text: str) -> Words:
            words = list(tokenizer.cut(text, HMM=hmm))
            tags_of_words = _tags(words, list(tagger.cut(text, HMM=hmm)), tagger.word_tag_tab)
            rows = [row for row in zip(words, tags_of_words, strict=True) if not row[0].isspace()]
            return {"tokens": [word for word, _ in rows], "tag": [tag for _, tag in rows]}

        return tagged
    cut = tokenizer.cut_for_search if mode == "search" else tokenizer.cut
    return lambda text: {"tokens": [word for word in cut(text, HMM=hmm) if not word.isspace()]}


def words(text: str) -> list[str]:
    """The words of a text in jieba's precise mode, punctuation included, white space left out."""
    return _default()(text)["tokens"]


@functools.cache
def _default() -> Segmenter:
    return segmenter()


def _tags(words: Sequence[str], pieces: Sequence[Any], tags_by_word: Mapping[str, str]) -> list[str]:
    """A tag for each word of a text.

    jieba's tagger cuts by itself, and not always as jieba does (`50%` into two). A word that it cuts in another way
    has the tag of the dictionary, else the one of the last of its pieces that has a part of speech.

    Args:
        words: of a text, which together are all of it.
        pieces: pairs of the tagger, each with a word and a flag, which together are the same text.
        tags_by_word: of the dictionary.
    """
    tags, start, row, piece_start = [], 0, 0, 0
    for word in words:
        end, flags, is_piece = start + len(word), list[str](), False
        while row < len(pieces) and piece_start < end:
            piece_end = piece_start + len(pieces[row].word)
            flags.append(pieces[row].flag)
            is_piece = is_piece or (piece_start, piece_end) == (start, end)
            if piece_end > end:
                break
            row, piece_start = row + 1, piece_end
        spoken = [flag for flag in flags if flag != "x"] or ["x"]
        tags.append(flags[0] if is_piece else tags_by_word.get(word, spoken[-1]))
        start = end
    return tags


def _entries(path: Path, counted: bool, tagged: bool) -> bytes:
    """The entries of a dictionary as jieba reads them: UTF-8, one a line, without invisible characters.

    Raises:
        InputError: a line that is no entry, which jieba would take for a word with blanks, or no entry at all.
    """
    entries = []
    for number, line in numbered_lines(path):
        entry = clean_text(line).rstrip()
        if not entry:
            continue
        match = _ENTRY.fullmatch(entry)
        if not match or (counted and not match[1]) or (tagged and not match[2]):
            expectation = "a word and its count" if counted else "a word, and after it a count or a part of speech"
            expectation = "a word, its count and its part of speech" if tagged else expectation
            raise InputError(f"{path}, line {number}: expected {expectation}, with single blanks, found {shown(entry)}")
        entries.append(entry)
    if not entries:
        raise InputError(f"{path}: expected words, found none")
    return "\n".join(entries).encode()
