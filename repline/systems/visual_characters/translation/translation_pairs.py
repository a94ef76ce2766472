"""Chinese sentences with English translations: readers, splits, and English words as numbers."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from repline.errors import InputError, shown
from repline.lexicons.hanzi.cc_cedict import Entry, read_cc_cedict
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.segmentation.combining_marks import MARKS
from repline.systems.visual_characters.glosses.dictionary_task import BRACKETS, HAN
from repline.systems.visual_characters.settings import SentencePairs

PAD, BEGIN, END, UNKNOWN = range(4)
SYMBOLS = ("<pad>", "<begin>", "<end>", "<unk>")
TOKEN = re.compile(rf"\w[\w{MARKS}]*(?:['’]\w[\w{MARKS}]*)*|[^\w\s]")


class Pair(NamedTuple):
    """A sentence and its translation, whose words are in lower case."""

    source: str
    target: list[str]


def english_words(text: str) -> list[str]:
    """Words and punctuation in lower case."""
    return TOKEN.findall(text.lower().replace("’", "'"))


def read_pairs(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> list[Pair]:
    """Pairs of a file, whose name gives its format.

    Args:
        path: `*.tsv` or `*.tsv.gz`: English, tab, Chinese; or the text of CC-CEDICT: of each word in simplified
            characters its first definition that is a translation.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: another kind of file, a line without both sides, or no pair.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    if unpacked_name(path).endswith(".tsv"):
        pairs = []
        for number, line in visible_lines(path, encoding, left_out):
            fields = [field.strip() for field in line.split("\t")]
            with left_out:
                if len(fields) < 2 or not all(fields[:2]):
                    problem = f"expected English, a tab and Chinese, found {shown(line)}"
                    raise WrongRecord(path, f"line {number}", problem, "no English and Chinese")
                pairs.append(Pair(fields[1], english_words(fields[0])))
    elif "cedict" in path.name:
        entries = read_cc_cedict(path, on_error=left_out, encoding=encoding)
        pairs = [pair for entry in entries if (pair := _defined(entry)) is not None]
    else:
        raise InputError(f"{path}: expected *.tsv with pairs of sentences, or the text of CC-CEDICT (cedict*)")
    if not pairs:
        raise InputError(f"{path}: expected pairs of sentences, found none")
    return pairs


def split_pairs(pairs: Sequence[Pair], choice: SentencePairs) -> dict[str, list[Pair]]:
    """Draw train, dev and test; all translations of one source are in the same part.

    Raises:
        InputError: too few pairs.
    """
    by_source: dict[str, list[Pair]] = {}
    for pair in pairs:
        if len(pair.source) <= choice.longest_source and 0 < len(pair.target) <= choice.longest_target:
            translations = by_source.setdefault(pair.source, [])
            if pair not in translations:
                translations.append(pair)
    sources = list(by_source)
    order = np.random.default_rng(choice.seed).permutation(len(sources))[: choice.number]
    dev, test = choice.dev, choice.test
    if len(order) < dev + test + 2:
        raise InputError(
            f"{len(order)} different sources are too few for {dev} of dev, {test} of test and some to train on"
        )
    parts = {"dev": order[:dev], "test": order[dev : dev + test], "train": order[dev + test :]}
    return {name: [pair for row in rows for pair in by_source[sources[row]]] for name, rows in parts.items()}


def target_vocabulary(pairs: Sequence[Pair], minimum_count: int = 2) -> list[str]:
    """The symbols, then the words that occur at least `minimum_count` times in training, most frequent first."""
    counts = Counter(word for pair in pairs for word in pair.target)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [*SYMBOLS, *(word for word, count in ordered if count >= minimum_count)]


def target_ids(targets: Sequence[Sequence[str]], numbers: Mapping[str, int]) -> list[list[int]]:
    """Numbers of target sentences: BEGIN, the words, END."""
    return [[BEGIN, *(numbers.get(word, UNKNOWN) for word in words), END] for words in targets]


def frequency_buckets(sources: Sequence[str], training: Sequence[str]) -> dict[str, list[int]]:
    """The test sentences by the mean frequency of their characters in training: low and high quartile, mid.

    Returns:
        row numbers: low and high floor(n / 4) each, mid the others.

    Source: Broscheit, Gemulla & Keuper 2018, section 4.2, table 5.
    """
    counts = Counter(character for text in training for character in text)
    scores = [sum(counts[character] for character in text) / len(text) for text in sources]
    order = np.argsort(scores, kind="stable").tolist()
    quarter = len(order) // 4
    return {
        "low": sorted(order[:quarter]),
        "mid": sorted(order[quarter : len(order) - quarter]),
        "high": sorted(order[len(order) - quarter :]),
    }


def _defined(entry: Entry) -> Pair | None:
    """A word and its first definition that is neither a reference to another word nor empty without its brackets."""
    if not HAN.fullmatch(entry.simplified):
        return None
    for definition in entry.meanings:
        plain = definition
        while plain != (plain := BRACKETS.sub(" ", plain)):
            pass
        if not HAN.search(plain) and not definition.startswith(("CL:", "surname ")) and (words := english_words(plain)):
            return Pair(entry.simplified, words)
    return None
