"""The hashes of outputs that are the same on every machine: those of stages that say `meta: {exact: true}`.

Exact are stages that copy, count, select or draw by a seeded generator of whole numbers. What hangs on the last bits of
a sum (a training, spaCy's parse, a decomposition) is not.
"""

import hashlib
import json
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.repo import Repo

from repline.errors import InputError

CARD = "card.json"  # also says where a file came from, which two machines may do in two ways


def exact_outputs(root: str | Path = ".") -> dict[str, dict[str, str]]:
    """Address of an exact stage -> its outputs -> md5, of those that DVC's locks and cache know.

    Args:
        root: the DVC repository.

    Raises:
        InputError: not a repository, or a dvc.yaml or dvc.lock that DVC cannot read.
    """
    try:
        with Repo(str(root)) as repo:
            found = {}
            for stage in sorted(repo.index.stages, key=lambda one: one.addressing):
                if not (stage.meta or {}).get("exact"):
                    continue
                hashes = {
                    Path(out.fs_path).relative_to(repo.root_dir).as_posix(): _content(out.hash_info, repo)
                    for out in stage.outs
                    if out.hash_info
                }
                if hashes and all(hashes.values()):
                    found[_inside(stage.addressing, repo)] = hashes
            return found
    except DvcException as error:
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        raise InputError(f"{root}: {error}{cause}") from error


def _content(hash_info, repo: Repo) -> str | None:
    """The md5 of an output; of a folder that of its files without the card, None if DVC's cache does not list them."""
    if not hash_info.isdir:
        return hash_info.value
    listing = Path(repo.cache.local.oid_to_path(hash_info.value))
    if not listing.exists():
        return None
    files = json.loads(listing.read_text(encoding="utf-8"))
    lines = [f"{file['md5']} {file['relpath']}\n" for file in files if file["relpath"] != CARD]
    return hashlib.md5("".join(sorted(lines)).encode("utf-8"), usedforsecurity=False).hexdigest()


def _inside(addressing: str, repo: Repo) -> str:
    """An address as it is from the repository's root, wherever it was asked from."""
    file, _, name = addressing.rpartition(":")
    folder = Path(file or "dvc.yaml").resolve().relative_to(repo.root_dir)
    return name if folder == Path("dvc.yaml") else f"{folder.as_posix()}:{name}"
