"""Where the stages of this system keep what they make."""

from pathlib import Path

TEXTS = Path("data/corpora/classification")
MODELS = Path("data/models/hcan")
NETWORKS, LINEAR = MODELS / "networks", MODELS / "linear"
VECTORS = "vectors"  # beside the networks of a corpus
ATTENTION = Path("data/evaluation/hcan/attention")
