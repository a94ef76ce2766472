"""Code that the steps of hand features and of features by a network share."""

from repline.corpora.pictures.picture_features import Extractor, write_features
from stages.folders import CORPORA, DATA
from stages.pictures.settings import HandFeatures

PICTURES_PER_LINE = 1024  # of progress


def extract(name: str, features: HandFeatures, extractor: Extractor) -> None:
    """Write data/corpora/<name> from a folder of pictures, and print progress and a summary."""
    folder = CORPORA / name
    card = write_features(DATA / features.source, folder, features, extractor, progress=_report)
    counts = card["counts"]
    words = ", ".join(f"{counts[key]:,} words in {key[6:]}" for key in counts if key.startswith("words_"))
    print(f"{folder}: {counts['pictures']:,} pictures, {counts['dimensions']} dimensions; {words}")
    for note in card["notes"]:
        print(f"  {note}")


def _report(extracted: int, total: int) -> None:
    if extracted % PICTURES_PER_LINE == 0 or extracted == total:
        print(f"  {extracted:,} of {total:,} pictures", flush=True)
