"""The command of every stage of a public project: writes its outputs from the hashes of its inputs, nothing else.

    python stand_in.py TABLE     # in a stage: DVC_STAGE says which, TABLE what each stage reads and writes

It imports nothing of DVC, and runs in the working directory that DVC gives the stage.
"""

import hashlib
import json
import os
import sys
from pathlib import Path


def digest(path: Path) -> str:
    """The hash of a file, or of the names and contents of the files in a folder."""
    sha = hashlib.sha256()
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    for file in files:
        sha.update(str(file.relative_to(path)).encode() + file.read_bytes())
    return sha.hexdigest()


def main() -> None:
    """Write the outputs of one stage."""
    stage = json.loads(Path(sys.argv[1]).read_text())[os.environ["DVC_STAGE"]]
    root = Path(os.environ["DVC_ROOT"])
    lines = [f"{name} {digest(root / name)}\n" for name in stage["deps"]]
    for name in stage["files"]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n{''.join(lines)}")


if __name__ == "__main__":
    main()
