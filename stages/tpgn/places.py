"""Where the stages of this system keep what they make."""

from pathlib import Path

MODELS = Path("data/models/tpgn")
