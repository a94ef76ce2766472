"""Where the stages of this system keep what they make."""

from pathlib import Path

TEXTS = Path("data/corpora/classification")
MODELS = Path("data/models/complex_embedding")
NETWORKS, LINEAR = MODELS / "networks", MODELS / "linear"
