"""The hashes of outputs that are the same on every machine: those of stages that say `meta: {exact: true}`.

Stages that copy, count, select or draw by a seeded generator of whole numbers are exact. Stages that depend on the last
bits of a sum (a training, spaCy's parse, a decomposition) are not.
"""

import hashlib
import json
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.repo import Repo

from repline.errors import InputError

CARD = "card.json"  # also says where a file came from, which two machines may do in two ways


def exact_outputs(root: str | Path = ".") -> dict[str, dict[str, str]]:
    """Address of each exact stage -> its outputs -> their md5, as far as DVC's locks and cache have them.

    Args:
        root: the DVC repository.

    Raises:
        InputError: not a repository, or a dvc.yaml or dvc.lock that DVC cannot read.
    """
    try:
        with Repo(str(root)) as repo:
            hashes_by_stage = {}
            for stage in sorted(repo.index.stages, key=lambda stage: stage.addressing):
                if not (stage.meta or {}).get("exact"):
                    continue
                hashes = {
                    Path(out.fs_path).relative_to(repo.root_dir).as_posix(): _content(out.hash_info, repo)
                    for out in stage.outs
                    if out.hash_info
                }
                listed = {path: md5 for path, md5 in hashes.items() if md5}
                if hashes and len(listed) == len(hashes):
                    hashes_by_stage[_inside(stage.addressing, repo)] = listed
            return hashes_by_stage
    except DvcException as error:
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        raise InputError(f"{root}: {error}{cause}") from error


def _content(hash_info, repo: Repo) -> str | None:
    """The md5 of an output, of a folder without its card; None if DVC's cache does not list the folder."""
    if not hash_info.isdir:
        return hash_info.value
    listing = Path(repo.cache.local.oid_to_path(hash_info.value))
    if not listing.exists():
        return None
    files = json.loads(listing.read_text(encoding="utf-8"))
    lines = [f"{file['md5']} {file['relpath']}\n" for file in files if file["relpath"] != CARD]
    return hashlib.md5("".join(sorted(lines)).encode("utf-8"), usedforsecurity=False).hexdigest()


def _inside(addressing: str, repo: Repo) -> str:
    """An address relative to the repository's root, whatever the current folder."""
    file, _, name = addressing.rpartition(":")
    folder = Path(file or "dvc.yaml").resolve().relative_to(repo.root_dir)
    return name if folder == Path("dvc.yaml") else f"{folder.as_posix()}:{name}"
