"""The files of a project that a workspace copies: what Git lists, also in submodules, or what DVC does not ignore."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from flows.errors import InputError
from flows.project import settings

LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")


def listed(checkout: Path) -> Iterator[str]:
    """Files that git tracks or would track, relative to the checkout; without Git, all but outputs and ignored ones.

    Raises:
        InputError: git cannot list them, or there is no git.
    """
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    try:
        yield from _of_git(checkout)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        with suppress(DvcException), Repo(str(checkout)) as repo:
            if repo.config["core"].get("no_scm"):
                yield from _walked(repo)
                return
        if isinstance(error, FileNotFoundError):
            problem = "a profile's workspace is a copy of what git lists, and there is no git; install it"
            raise InputError(problem) from None
        if not any((folder / ".git").exists() for folder in (checkout, *checkout.parents)):
            from flows.project.broken_files import NO_GIT

            raise InputError(f"{checkout} {NO_GIT}") from None
        words = os.fsdecode(error.stderr).strip()
        raise InputError(f"{checkout}: git cannot list the files to copy ({words})") from None


def _of_git(folder: Path) -> list[str]:
    """What git lists in a folder; a submodule, or another repository inside, is listed by its own rules."""
    output = subprocess.run(["git", "-C", str(folder), *LIST], check=True, capture_output=True).stdout
    names: list[str] = []
    for name in dict.fromkeys(filter(None, os.fsdecode(output).split("\0"))):
        path = folder / name
        if path.is_symlink() or not path.is_dir():
            names.append(name)
        elif (path / ".git").exists():  # git lists the folder only; a submodule that is not checked out has no .git
            names += [os.path.join(name, below) for below in _of_git(path)]
    return names


def _walked(repo: Any) -> Iterator[str]:
    left_out = {str(settings.scratch(Path(repo.root_dir))), *(out.fs_path for out in repo.index.outs)}
    for folder, folders, files in repo.dvcignore.walk(repo.fs, repo.root_dir):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in left_out]
        links = (name for name in folders if os.path.islink(os.path.join(folder, name)))
        paths = (os.path.join(folder, name) for name in (*files, *links))
        yield from (os.path.relpath(path, repo.root_dir) for path in paths if path not in left_out)
