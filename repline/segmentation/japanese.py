"""Japanese words by MeCab, with the dictionary of unidic-lite or any other.

Source: https://taku910.github.io/mecab/ ; https://clrd.ninjal.ac.jp/unidic/
"""

import csv
import functools
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv_tables
from numpy.typing import NDArray

from repline.errors import InputError
from repline.segmentation import Segmenter, Words


class Fields(NamedTuple):
    """Where a dictionary's features have what is asked of them."""

    parts_of_speech: int  # the first N fields
    lemma: int
    reading: int


UNIDIC = Fields(parts_of_speech=4, lemma=10, reading=17)  # 17: in kana; editions with fewer fields have 9, as spoken
UNIDIC_SPOKEN = 9
IPADIC = Fields(parts_of_speech=4, lemma=6, reading=7)
_MARKS = "".join(  # of punctuation, not emoji
    (
        "!-/:-@\\[-`{-~",
        "\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf",
        "\u2010-\u2027\u2030-\u205e",
        "\u3001-\u3003\u3008-\u301f\uff01-\uff0f",
    )
)
_UNKNOWN = re.compile(rf"\r(?:([{_MARKS}]{{2,}})(?:\t.*\n| ))?")  # before a word that the dictionary lacks
ENDS = dict.fromkeys(map(ord, "\r\n\t\0"), " ")
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
    parse = _parser(_tagger(dictionary, "\\t%H\\n" if features else " "))
    return WithFeatures(parse) if features else lambda text: {"tokens": parse(text).split()}


class WithFeatures:
    """A segmenter that knows of each token its `lemma`, `tag` and `reading`."""

    def __init__(self, parse: Callable[[str], str]) -> None:
        self.parse = parse
        self._known = functools.lru_cache(maxsize=100_000)(_features)

    def __call__(self, text: str) -> Words:
        columns: Words = {"tokens": [], "lemma": [], "tag": [], "reading": []}
        for line in self.parse(text).split("\n"):
            surface, _, features = line.partition("\t")
            if not surface.strip():
                continue
            lemma, tag, reading = self._known(features)
            columns["tokens"].append(surface)
            columns["lemma"].append(lemma or surface)
            columns["tag"].append(tag)
            columns["reading"].append(reading)
        return columns

    def together(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], dict[str, pa.Array]]:
        """The words of many texts at once, with no Python object for a word: how many each has, and their columns."""
        parsed = [self.parse(text) for text in texts]
        counts = np.array([feature.count("\n") for feature in parsed], dtype=np.int64)
        if not counts.sum():
            return counts, {name: pa.array([], pa.string()) for name in self("")}
        surfaces, features = _surfaces_and_features("".join(parsed))
        distinct = [self._known(feature) for feature in features.dictionary.to_pylist()]
        lemma, tag, reading = (pa.array(column).take(features.indices) for column in zip(*distinct, strict=True))
        words = surfaces.dictionary.to_pylist()
        tokens = surfaces.dictionary.take(surfaces.indices)
        columns = {"tokens": tokens, "lemma": pc.if_else(pc.equal(lemma, ""), tokens, lemma), "tag": tag}
        columns["reading"] = reading
        blank = np.array([not word.strip() for word in words])[surfaces.indices.to_numpy()]
        if blank.any():
            text_number = np.repeat(np.arange(len(texts)), counts)
            counts = np.bincount(text_number[~blank], minlength=len(texts))
            columns = {name: column.filter(pa.array(~blank)) for name, column in columns.items()}
        return counts, columns


def _surfaces_and_features(lines: str) -> list[pa.DictionaryArray]:
    """The two columns of MeCab's output, which is read as a table without quotes."""
    kind = pa.dictionary(pa.int32(), pa.string())
    table = csv_tables.read_csv(
        pa.py_buffer(lines.encode()),
        read_options=csv_tables.ReadOptions(use_threads=False, column_names=["surface", "features"]),
        parse_options=csv_tables.ParseOptions(delimiter="\t", quote_char=False),
        convert_options=csv_tables.ConvertOptions(column_types={"surface": kind, "features": kind}),
    )
    return [column.unify_dictionaries().combine_chunks() for column in table.columns]


def words(text: str) -> list[str]:
    """The words of a text in the short units of UniDic, punctuation included, white space left out."""
    return _default()(text)["tokens"]


@functools.cache
def _default() -> Segmenter:
    return segmenter(features=False)


def _line(text: str) -> str:
    """MeCab reads up to a line's end or a zero byte; a tab would end the surface in its output."""
    return text.translate(ENDS)


def _parser(tagger: Any) -> Callable[[str], str]:
    """MeCab's output for a text, where marks that the dictionary lacks stand alone: MeCab joins `,"` to one word."""

    def parse(text: str) -> str:
        return _UNKNOWN.sub(lambda word: "".join(map(alone, word[1] or "")), tagger.parse(_line(text)))

    alone = functools.cache(parse)
    return parse


def _tagger(dictionary: str | Path | None, behind: str) -> Any:
    """A tagger that writes words, each with `behind` behind it, and a CR before those that the dictionary lacks."""
    import MeCab

    if dictionary is None:
        import unidic_lite

        dictionary = unidic_lite.DICDIR
    folder = Path(dictionary).resolve()
    if not (folder / "sys.dic").exists():
        raise InputError(f"{dictionary}: no compiled dictionary of MeCab in it (sys.dic is missing)")
    output_options = rf'-O "" -F "%m{behind}" -U "\r%m{behind}" -E ""'  # -O "": not the form that dicrc asks for
    try:
        return MeCab.Tagger(f'-r /dev/null -d "{folder}" {output_options}')
    except RuntimeError as error:
        raise InputError(f"{dictionary}: MeCab cannot read this dictionary ({str(error).strip()})") from None


def _features(features: str) -> tuple[str, str, str]:
    """The base form, the tag and the reading in a word's features; "" for what they do not have."""
    fields = next(csv.reader([features]))
    positions = IPADIC if len(fields) in (IPADIC_LENGTH, IPADIC.lemma + 1) else UNIDIC
    reading = positions.reading if len(fields) > positions.reading else UNIDIC_SPOKEN
    tag = "-".join(part for part in fields[: positions.parts_of_speech] if part != "*")
    return _field(fields, positions.lemma), tag, _field(fields, reading)


def _field(fields: list[str], number: int) -> str:
    return fields[number] if number < len(fields) and fields[number] != "*" else ""
