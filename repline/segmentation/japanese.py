"""Japanese words by MeCab, with the dictionary of unidic-lite or any other.

Source: https://taku910.github.io/mecab/ ; https://clrd.ninjal.ac.jp/unidic/
"""

import csv
import functools
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError
from repline.segmentation import Segmenter, Words


class Fields(NamedTuple):
    """Where a dictionary's features have what is asked of them."""

    parts_of_speech: int  # the first so many fields
    lemma: int
    reading: int


UNIDIC = Fields(parts_of_speech=4, lemma=10, reading=17)  # 17: in kana; editions with fewer fields have 9, as spoken
UNIDIC_SPOKEN = 9
IPADIC = Fields(parts_of_speech=4, lemma=6, reading=7)
IPADIC_LENGTH = 9  # and less for words that it does not know


def segmenter(dictionary: str | Path | None = None, features: bool = True) -> Segmenter:
    """A segmenter of Japanese text on one line.

    Args:
        dictionary: a folder with a compiled dictionary of MeCab, of the form of UniDic or IPAdic; None: unidic-lite,
            whose words are the short units of UniDic.
        features: give each word its base form (`lemma`), its part of speech from the coarsest to the finest class
            (`tag`, as 名詞-固有名詞-人名-名) and its `reading` in katakana, "" where the dictionary has none.

    Raises:
        InputError: no dictionary in the folder.
    """
    tagger = _tagger(dictionary, "" if features else "-Owakati")
    if not features:
        return lambda text: {"tokens": tagger.parse(_line(text)).split()}
    known = functools.lru_cache(maxsize=100_000)(_features)

    def featured(text: str) -> Words:
        found: Words = {"tokens": [], "lemma": [], "tag": [], "reading": []}
        for line in tagger.parse(_line(text)).splitlines():
            surface, _, features = line.partition("\t")
            if not surface.strip():
                continue
            lemma, tag, reading = known(features)
            found["tokens"].append(surface)
            found["lemma"].append(lemma or surface)
            found["tag"].append(tag)
            found["reading"].append(reading)
        return found

    return featured


def words(text: str) -> list[str]:
    """The words of a text in the short units of UniDic, punctuation included, white space left out."""
    return _default()(text)["tokens"]


@functools.cache
def _default() -> Segmenter:
    return segmenter(features=False)


def _line(text: str) -> str:
    """MeCab reads up to a line's end or a zero byte."""
    return text.replace("\r", " ").replace("\n", " ").replace("\0", " ")


def _tagger(dictionary: str | Path | None, output: str):
    import MeCab

    if dictionary is None:
        import unidic_lite

        dictionary = unidic_lite.DICDIR
    folder = Path(dictionary).resolve()
    if not (folder / "sys.dic").exists():
        raise InputError(f"{dictionary}: no compiled dictionary of MeCab in it (sys.dic is missing)")
    each = output or r'-O "" -F "%m\t%H\n" -U "%m\t%H\n" -E ""'  # -O "": not the form that dicrc asks for
    try:
        return MeCab.Tagger(f'-r /dev/null -d "{folder}" {each}')
    except RuntimeError as error:
        raise InputError(f"{dictionary}: MeCab cannot read this dictionary ({str(error).strip()})") from None


def _features(features: str) -> tuple[str, str, str]:
    """The base form, the tag and the reading in a word's features; "" for what they do not have."""
    found = next(csv.reader([features]))
    fields = IPADIC if len(found) in (IPADIC_LENGTH, IPADIC.lemma + 1) else UNIDIC
    reading = fields.reading if len(found) > fields.reading else UNIDIC_SPOKEN
    tag = "-".join(part for part in found[: fields.parts_of_speech] if part != "*")
    return _field(found, fields.lemma), tag, _field(found, reading)


def _field(found: list[str], number: int) -> str:
    return found[number] if number < len(found) and found[number] != "*" else ""
