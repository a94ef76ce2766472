"""Counts of listed words, of words that can be translated and of pictures; the words whose pictures vary most."""

from collections.abc import Mapping
from typing import TypedDict

import numpy as np
import pyarrow as pa

from repline.systems.image_lexicon.image_words import POS, WordList

SHOWN = 5  # words at either end of a ranking


def list_counts(lists: Mapping[str, WordList]) -> dict[str, dict[str, int]]:
    """Numbers of entries (also by part of speech) and targets of each list.

    Also how many entries have a target that is shared, spelled as the source word, or has a blank.
    """
    counts_by_language = {}
    for language, word_list in lists.items():
        targets = [entry.target for entry in word_list.entries]
        uses_of_target = {target: targets.count(target) for target in targets}
        counts_by_language[language] = {
            "entries": len(targets),
            **{pos: sum(entry.pos == pos for entry in word_list.entries) for pos in POS.values()},
            "targets": len(uses_of_target),
            "shared": sum(uses_of_target[target] > 1 for target in targets),
            "identical": sum(entry.source == entry.target for entry in word_list.entries),
            "with_blank": sum(" " in target for target in targets),
        }
    return counts_by_language


def usable_counts(translations: pa.Table) -> dict[str, dict[str, int]]:
    """Numbers of entries whose two words have pictures, by language and part of speech, and of candidates."""
    rows = [row for row in translations.to_pylist() if row["method"] == "avgmax"]
    counts_by_language: dict[str, dict[str, int]] = {}
    for row in rows:
        counts = counts_by_language.setdefault(row["language"], {"all": 0, **dict.fromkeys(POS.values(), 0)})
        counts["all"] += 1
        counts[row["pos"]] += 1
        counts["candidates"] = row["candidates"]
    return counts_by_language


def set_sizes(dispersions: pa.Table) -> dict[str, dict[str, float]]:
    """Mean number of pictures of a listed word, and number of words with a single one, by language."""
    sizes_by_language: dict[str, list[int]] = {}
    for row in dispersions.to_pylist():
        sizes_by_language.setdefault(row["language"], []).append(row["pictures"])
    return {
        language: {"mean": float(np.mean(sizes)), "words": len(sizes), "single": sizes.count(1)}
        for language, sizes in sizes_by_language.items()
    }


class Extreme(TypedDict):
    """A word whose pictures vary least or most, as `end` says, among those of its part of speech."""

    pos: str
    end: str
    word: str
    dispersion: float


def extremes(dispersions: pa.Table, lists: Mapping[str, WordList], source: str) -> list[Extreme]:
    """The words of the source language whose pictures vary least and most, by part of speech."""
    dispersion_of = {
        row["word"]: row["dispersion"]
        for row in dispersions.to_pylist()
        if row["language"] == source and row["dispersion"] is not None
    }
    rows: list[Extreme] = []
    entries = dict.fromkeys((entry.source, entry.pos) for word_list in lists.values() for entry in word_list.entries)
    for pos in POS.values():
        words = sorted(
            {word for word, entry_pos in entries if entry_pos == pos and word in dispersion_of},
            key=lambda word: (dispersion_of[word], word),
        )
        for end, shown_words in (("lowest", words[:SHOWN]), ("highest", words[::-1][:SHOWN])):
            rows += [{"pos": pos, "end": end, "word": word, "dispersion": dispersion_of[word]} for word in shown_words]
    return rows
