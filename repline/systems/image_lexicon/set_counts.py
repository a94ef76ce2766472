"""What there is: words of the lists, words that can be translated, pictures of a word, words that vary most."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from repline.systems.image_lexicon.image_words import POS, WordList

SHOWN = 5  # words at either end of a ranking


def list_counts(lists: Mapping[str, WordList]) -> dict[str, dict[str, int]]:
    """Of each list: entries, also by part of speech; different targets; entries whose target is shared, spelled as the
    source word, or has a blank."""
    found = {}
    for language, one in lists.items():
        targets = [entry.target for entry in one.entries]
        often = {target: targets.count(target) for target in targets}
        found[language] = {
            "entries": len(targets),
            **{pos: sum(entry.pos == pos for entry in one.entries) for pos in POS.values()},
            "targets": len(often),
            "shared": sum(often[target] > 1 for target in targets),
            "identical": sum(entry.source == entry.target for entry in one.entries),
            "with_blank": sum(" " in target for target in targets),
        }
    return found


def usable_counts(translations: pa.Table) -> dict[str, dict[str, int]]:
    """Of each language: entries whose two words have pictures, also by part of speech, and candidates."""
    rows = [row for row in translations.to_pylist() if row["method"] == "avgmax"]
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        counts = found.setdefault(row["language"], {"all": 0, **dict.fromkeys(POS.values(), 0)})
        counts["all"] += 1
        counts[row["pos"]] += 1
        counts["candidates"] = row["candidates"]
    return found


def set_sizes(dispersions: pa.Table) -> dict[str, dict[str, float]]:
    """Of each language, by the words of the lists: mean pictures of a word, and words with one alone."""
    found: dict[str, list[int]] = {}
    for row in dispersions.to_pylist():
        found.setdefault(row["language"], []).append(row["pictures"])
    return {
        language: {"mean": float(np.mean(sizes)), "words": len(sizes), "single": sizes.count(1)}
        for language, sizes in found.items()
    }


def extremes(dispersions: pa.Table, lists: Mapping[str, WordList], source: str) -> list[dict[str, Any]]:
    """The words of the source language whose pictures vary least and most, by part of speech."""
    of = {
        row["word"]: row["dispersion"]
        for row in dispersions.to_pylist()
        if row["language"] == source and row["dispersion"] is not None
    }
    rows = []
    entries = dict.fromkeys((entry.source, entry.pos) for one in lists.values() for entry in one.entries)
    for pos in POS.values():
        words = sorted({word for word, own in entries if own == pos and word in of}, key=lambda word: (of[word], word))
        for end, chosen in (("lowest", words[:SHOWN]), ("highest", words[::-1][:SHOWN])):
            rows += [{"pos": pos, "end": end, "word": word, "dispersion": of[word]} for word in chosen]
    return rows
