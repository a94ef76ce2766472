"""Where the stages of this system keep what they make."""

from pathlib import Path

DOCUMENTS = Path("data/corpora/entity_documents")
MODELS = Path("data/models/entity_documents")
VECTORS, NETWORKS, LINEAR = (MODELS / name for name in ("vectors", "networks", "linear"))
