"""What the steps of hand features and of features by a network have in common."""

from pathlib import Path
from typing import Any

from repline.corpora.pictures.picture_features import Extractor, write_features

EVERY = 1024  # pictures between two lines of progress


def extract(name: str, extractor: Extractor, *, source: str, **knobs: Any) -> None:
    """Write data/corpora/<name> from data/<source>, and print how far it is and what it came to."""
    folder = Path("data/corpora") / name
    card = write_features(Path("data") / source, folder, extractor, **knobs, progress=_say)
    counts = card["counts"]
    words = ", ".join(f"{counts[key]:,} words in {key[6:]}" for key in counts if key.startswith("words_"))
    print(f"{folder}: {counts['pictures']:,} pictures, {counts['dimensions']} dimensions; {words}")
    for note in card["notes"]:
        print(f"  {note}")


def _say(done: int, total: int) -> None:
    if done % EVERY == 0 or done == total:
        print(f"  {done:,} of {total:,} pictures", flush=True)
