"""The fingerprint of a stage's entry in dvc.lock: its command, inputs, parameters and outputs."""

import hashlib
import json
import re
import subprocess
from pathlib import Path

import yaml

from flows.errors import InputError
from flows.inside_dvc.lock_files import HEAD, blocks
from flows.project import addresses


def here(root: Path, address: str) -> str | None:
    """The fingerprint of a stage as it is locked now; None for one that is not.

    Args:
        root: the project's folder.
        address: the stage as DVC names it in the root folder.
    """
    try:
        return _of_entry((root / _lock_file(address)).read_text(encoding="utf-8"), address)
    except OSError:
        return None


def at_revision(root: Path, address: str, revision: str) -> str | None:
    """The fingerprint of a stage as a revision of Git has it; None where it is not locked there.

    Raises:
        InputError: Git has no such revision, or no such file in it.
    """
    command = ["git", "-C", str(root), "show", f"{revision}:./{_lock_file(address)}"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{revision} is a revision of Git, and there is no git; install it") from None
    if shown.returncode:
        raise InputError(f"Git cannot show {_lock_file(address)} of {revision}: {shown.stderr.strip()}")
    return _of_entry(shown.stdout, address)


def _lock_file(address: str) -> str:
    file, name = addresses.file_and_name(address)
    return str(Path(file).with_name("dvc.lock")) if name else file


def _of_entry(text: str, address: str) -> str | None:
    _, name = addresses.file_and_name(address)
    if not name:
        return hashlib.sha256(text.encode()).hexdigest()
    stages = re.search(r"^stages:\n((?:  .*\n)*)", text, re.MULTILINE)  # a dvc.lock may have datasets, too
    entries = blocks(HEAD + stages[1]) if stages else None
    entry = next((block for block in entries or () if block.partition("\n")[0] == f"  {name}:"), None)
    entry = entry or _parsed(text, name)
    return hashlib.sha256(entry.encode()).hexdigest() if entry else None


def _parsed(text: str, name: str) -> str | None:
    """The entry of a stage as JSON, where its name is long or in quotes, or the file is not in DVC's layout."""
    try:
        stages = yaml.safe_load(text)["stages"]
    except (yaml.YAMLError, KeyError, TypeError):
        return None
    entry = stages.get(name) if isinstance(stages, dict) else None
    return json.dumps(entry, sort_keys=True, default=str) if entry else None
