"""Write the digests of the code that each command can reach: `python -m stages.code.digest`.

Every stage names the digest of its command among its parameters, so that DVC runs it again when, and only when, code
that it can reach has changed: `repline/code_digests`.
"""

import json
import os
from pathlib import Path

from repline.files import new_file, write_json
from stages import run
from stages.code import project

MAX_PARTS = 4000  # files with the parts of a digest; the oldest are removed


def main() -> None:
    write(Path())


def write(root: Path) -> None:
    """Write `data/code.json` of a project, and, in data/scratch, the parts of each new digest."""
    code = project.read(root)
    write_json(root / project.DIGESTS, project.digests(root, code))
    for command in project.commands(root):
        path = root / project.PARTS_FOLDER / f"{code.digest(command)}.json"
        if not path.exists():
            with new_file(path) as partial:
                partial.write_text(json.dumps(code.parts(command)), encoding="utf-8")
    files = sorted((root / project.PARTS_FOLDER).glob("*.json"), key=os.path.getmtime)
    for path in files[:-MAX_PARTS]:
        path.unlink()


if __name__ == "__main__":
    run(main)
