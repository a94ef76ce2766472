"""Where the stages keep what they make."""

from pathlib import Path

PARSERS = Path("data/models/context_parser/parsers")
COMPLETIONS = Path("data/models/context_parser/completions")
