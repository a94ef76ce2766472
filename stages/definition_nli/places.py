"""Where this system's data and models are."""

from pathlib import Path

CORPORA = Path("data/corpora/definition_nli")
MODELS = Path("data/models/definition_nli")
