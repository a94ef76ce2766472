"""The digest of the code of the running stage: what an earlier run left half-made is used only by the same code."""

import json
import os
from pathlib import Path

from stages import _module

DIGESTS = Path("data/code.json")


def code_digest() -> str | None:
    """The digest of all code that the running command can reach, as `data/code.json` has it.

    None where a person runs the module by hand: then the file may be older than the code.
    """
    if not os.environ.get("DVC_STAGE"):
        return None
    try:
        digests = json.loads(DIGESTS.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    for part in _module().split("."):
        digests = digests.get(part, {}) if isinstance(digests, dict) else {}
    return digests if isinstance(digests, str) else None
