"""Where the stages of this system keep what they make."""

from pathlib import Path

TEXTS = Path("data/corpora/classification")
MODELS = Path("data/models/lmtgru")
NETWORKS, LINEAR = MODELS / "networks", MODELS / "linear"


def fold_name(fold: int | None) -> str:
    """The folder of a fold, or of the parts that the texts have."""
    return "as_split" if fold is None else f"fold-{fold}"
