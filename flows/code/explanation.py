"""Why the digest of a stage's code changed: which definitions and libraries, and the shortest way to each."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from flows.code.project_code import Start
from flows.code.stage_code import StagesCode
from flows.code_digests.reach import changed
from flows.files import new_file
from flows.project import settings

MAX_PARTS = 4000  # files with the parts of a digest; the oldest are removed
MAX_CHANGES = 20  # changed definitions that are listed


def record(code: StagesCode, starts: Iterable[Start]) -> str:
    """The digest of the code of a command; what it is of is kept on this machine, for `changes`."""
    parts, name = code.parts(starts), code.digest(starts)
    path = _folder(code.root) / f"{name}.json"
    if path.exists():
        os.utime(path)
    else:
        with new_file(path) as partial:
            partial.write_text(json.dumps(parts), encoding="utf-8")
    return name


def prune(root: Path) -> None:
    """Remove what the oldest digests are of."""
    for path in sorted(_folder(root).glob("*.json"), key=os.path.getmtime)[:-MAX_PARTS]:
        path.unlink()


def changes(code: StagesCode, key: str, before: str | None) -> Iterator[str]:
    """What changed in the code behind a key since its digest was another, a line each; none where it is the same.

    Args:
        key: the path of what the command runs, as it stands in the file of digests.
        before: the digest in dvc.lock; None where it has none.
    """
    starts = sorted(code.starts().get(key, ()), key=str)
    if not starts:
        yield f"its command no longer runs {key}"
    elif before is None:
        yield f"the digest of {key} is new"
    elif code.digest(starts) != before:
        file = _folder(code.root) / f"{before}.json"
        if file.exists():
            yield from _differences(code, starts, json.loads(file.read_text(encoding="utf-8")))
        else:
            yield f"the code of {key} changed; what it was when the stage ran is not recorded on this machine"


def _differences(code: StagesCode, starts: list[Start], before: dict[str, str]) -> Iterator[str]:
    after = code.parts(starts)
    words = changed(before, after)
    lasting = {name: word for name, word in words.items() if " = " not in name} or words
    for name, word in list(lasting.items())[:MAX_CHANGES]:
        if word == "changed" and name.startswith("library "):
            word = f"changed from {before[name]} to {after[name]}"
        ways = [way for start in starts if (way := code.code.way(start, name))]
        way = min(ways, key=len, default=[])
        yield f"{name} {word}" + (f", by {' -> '.join(way)}" if way else "")
    if len(lasting) > MAX_CHANGES:
        yield f"and {len(lasting) - MAX_CHANGES} more"


def _folder(root: Path) -> Path:
    return settings.scratch(root) / "code"
