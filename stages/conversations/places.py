"""Where this system's data and models are."""

from pathlib import Path

CORPORA = Path("data/corpora/conversations")
MODELS = Path("data/models/conversations")
MEASURED = Path("data/evaluation/conversations/measured")
