"""Where the files of the memorisation probe lie."""

from pathlib import Path

CORPUS = Path("data/corpora/middle_token")
MODELS = Path("data/models/lstm_memorization")


def experiment(distribution: str, size: int, length: int) -> Path:
    """The folder of the runs that differ by their seed alone."""
    return MODELS / distribution / f"d{size}-n{length}"
