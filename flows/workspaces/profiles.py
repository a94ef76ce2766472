"""Profiles: the merged parameters run in a workspace of their own, so that the checkout's results stay as they are.

A workspace (workspaces/PROFILE in the scratch folder, or PROFILE+OVERRIDES) is a copy of the checkout's files with the
merged params.yaml and a DVC repository of its own, whose cache is the checkout's: what does not change between two
profiles is not run twice. What users put into the folder of results themselves is linked.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from flows.errors import InputError
from flows.files import new_file
from flows.inside_dvc.quick_reading import read_quickly
from flows.output import say
from flows.project import parameters, settings
from flows.workspaces import dvc_config
from flows.workspaces import overrides as single
from flows.workspaces.listed_files import listed

LOCK = "dvc.lock"


def default() -> str:
    """The name of the profile that is params.yaml itself."""
    return settings.current().profile


def names() -> list[str]:
    """The profiles of the checkout that this process is in, the default first; outside a checkout the default alone."""
    try:
        return [default(), *sorted(path.stem for path in (_checkout() / "profiles").glob("*.yaml"))]
    except InputError:
        return [default()]


def folder(profile: str | None = None, overrides: Sequence[str] = ()) -> Path:
    """The root folder of a profile: the checkout for the default one, else its workspace, which may not be there yet.

    With overrides of single parameters the default profile has a workspace too.

    Raises:
        InputError: not a DVC repository, or no such profile.
    """
    checkout = _checkout()
    profile = profile or default()
    if profile == default() and not overrides:
        return checkout
    if profile not in names():
        raise InputError(f"there is no profile {profile!r}; there are {', '.join(sorted(names()))} (profiles/*.yaml)")
    return settings.scratch(checkout) / "workspaces" / single.folder(profile, overrides)


def enter(profile: str | None = None, overrides: Sequence[str] = ()) -> Path:
    """The root folder to run `profile` in, brought up to date.

    Args:
        profile: overrides of params.yaml.
        overrides: single parameters over those, as `flows.workspaces.overrides.apply` takes them.

    Raises:
        InputError: not a DVC repository, no such profile, or a parameter that params.yaml does not have.
    """
    from dvc.exceptions import DvcException

    from flows.project import broken_files

    profile = profile or default()
    workspace, checkout = folder(profile, overrides), _checkout()
    if workspace == checkout:
        return workspace
    changed = single.by_file(overrides)
    overrides_of_params = changed.pop(single.PARAMETERS, [])
    has_params = bool(overrides_of_params) or profile != default() or (checkout / single.PARAMETERS).exists()
    merged = parameters.read(checkout / single.PARAMETERS) if has_params else {}
    if profile != default():
        override = parameters.read(checkout / "profiles" / f"{profile}.yaml")
        merged = parameters.merge(merged, override, f"profiles/{profile}.yaml")
    merged = single.apply(merged, overrides_of_params)

    files = [name for name in _files(checkout) if name not in changed]
    copied = workspace / settings.COPIED
    before = os.fsdecode(copied.read_bytes()).split("\0") if copied.exists() else []
    _write(copied, os.fsencode("\0".join(sorted({*before, *files}))))  # right even if the process is killed in between
    _remove_stale(workspace, set(before) - set(files))  # first: a file may have become a folder, or a link one
    _copy(checkout, workspace, files)
    _write(copied, os.fsencode("\0".join(sorted(files))))
    if has_params:
        _write(workspace / single.PARAMETERS, parameters.text_of(merged).encode())
    for name, overrides_of_file in changed.items():
        single.write(checkout / name, workspace / name, overrides_of_file)
    read_quickly()
    try:
        is_new = dvc_config.write(checkout, workspace / ".dvc")
    except DvcException as error:
        raise InputError(broken_files.reason(checkout, error)) from None
    _bring_data(checkout, workspace, is_new)
    resolve_path_variables()
    return workspace


def enter_checkout() -> Path:
    """The root folder of the checkout, made the folder of this process: for what works on a project as a whole."""
    checkout = folder()
    resolve_path_variables()
    os.chdir(checkout)
    return checkout


def resolve_path_variables() -> None:
    """Make relative folders in the project's variables absolute, so that they are the same inside a workspace."""
    for name in settings.current().path_variables:
        folder = os.environ.get(name)
        if folder and "://" not in folder:
            os.environ[name] = str(Path(folder).expanduser().absolute())


def say_where(root: Path, profile: str) -> None:
    """Print where the project's page is, and, for a workspace, where its results are."""
    page = settings.of(root).page
    if root != _checkout():
        changed = "" if root.name == profile else " with these overrides"
        results = os.path.relpath(root / (settings.of(root).data or "."))
        say(f"The results of profile {profile}{changed} are in {results}", sys.stdout)
    if page and (root / page.file).exists():
        say(f"The report is {os.path.relpath(root / page.file)}", sys.stdout)


def _checkout() -> Path:
    from dvc.exceptions import NotDvcRepoError
    from dvc.repo import Repo

    try:
        return Path(Repo.find_root())
    except NotDvcRepoError:
        raise InputError(f"{os.getcwd()} is not in a DVC repository; run from the project's root folder") from None


def _files(checkout: Path) -> list[str]:
    """The files to copy, relative to the checkout, without those of its folder of results."""
    results = settings.of(checkout).data
    return [
        name
        for name in listed(checkout)
        if name != single.PARAMETERS
        and not name.startswith(".dvc/")
        and not (results and name.startswith(f"{results}/"))  # metrics are the checkout's results, and git keeps them
        and os.path.lexists(checkout / name)
    ]


def _copy(checkout: Path, workspace: Path, files: list[str]) -> None:
    for name in files:
        source, target = checkout / name, workspace / name
        if target.name == LOCK and target.exists():
            continue  # it describes the workspace's data; only a new workspace starts with the checkout's locks
        if source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            target.symlink_to(_where_it_leads(source, checkout))
        elif not _same(source, target):
            with new_file(target) as partial:
                shutil.copy2(source, partial)


def _where_it_leads(link: Path, checkout: Path) -> str:
    """What a link holds, as a path that is right in a workspace too: one out of the checkout is absolute."""
    path = os.readlink(link)
    absolute = os.path.normpath(link.parent / path)
    return path if Path(absolute).is_relative_to(checkout) else absolute


def _same(source: Path, target: Path) -> bool:
    if target.is_symlink() or not target.is_file():
        return False
    status, copied = source.stat(), target.stat()
    return (status.st_size, status.st_mtime_ns, status.st_mode) == (copied.st_size, copied.st_mtime_ns, copied.st_mode)


def _write(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        with new_file(path) as partial:
            partial.write_bytes(content)


def _remove_stale(workspace: Path, names: set[str]) -> None:
    """Remove files of an earlier copy that the checkout no longer has, and the folders that become empty."""
    for name in names:
        path = workspace / name
        if path.name == LOCK and path.with_name("dvc.yaml").exists():
            continue  # a branch without locks: the workspace's lock still describes its data
        if not path.is_dir() or path.is_symlink():
            path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == workspace or not folder.is_dir() or any(folder.iterdir()):
                break
            folder.rmdir()


def _bring_data(checkout: Path, workspace: Path, new: bool) -> None:
    """Bring into a workspace: data that no stage will make, links to users' files in data/, folders to write into."""
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    stage_outputs: set[Path] = set()
    work_folders: set[Path] = set()
    for root in (checkout, workspace):
        try:
            with Repo(str(root)) as repo:
                outs = [out for out in repo.index.outs if out.is_in_repo]
                stage_outputs |= {Path(out.fs_path).relative_to(repo.root_dir) for out in outs}
                work_folders |= {Path(stage.wdir).relative_to(repo.root_dir) for stage in repo.index.stages}
                if root == workspace:
                    with suppress(DvcException):  # without them the stages acquire the sources again
                        _check_out(outs, new)
        except DvcException:
            return  # a mistake in a dvc.yaml, which the run itself reports
    _link_user_data(checkout, workspace, stage_outputs)
    for folder in {folder for out in stage_outputs for folder in out.parents} | work_folders:
        if (checkout / folder).is_dir() and not os.path.lexists(workspace / folder):
            (workspace / folder).mkdir(parents=True)  # one that holds outputs only


def _check_out(outs: list[Any], new: bool) -> None:
    """Check out what no run makes: data of `dvc add` and imports, and outputs of frozen stages.

    In a new workspace also the outputs that a stage keeps and completes (`persist: true`): DVC's run cache does not
    have them, and later ones are the workspace's own.
    """
    for out in outs:
        is_made = out.stage.cmd and not out.stage.frozen
        if (not is_made or (new and out.persist)) and not out.changed_cache():  # the cache has it
            out.checkout(force=True, allow_missing=True)


def _link_user_data(checkout: Path, workspace: Path, stage_outputs: set[Path]) -> None:
    """Link everything of the checkout's folder of results that no stage makes into the workspace's."""
    for name in {
        part for out in stage_outputs for part in (out, *out.parents)
    }:  # a stage must never write through a link
        link = workspace / name
        if link.is_symlink() and os.path.normpath(link.parent / os.readlink(link)) == str(checkout / name):
            link.unlink()
    results = settings.of(checkout).data
    for name in _user_data(checkout, Path(results), stage_outputs) if results else ():
        link = workspace / name
        if link.is_symlink() or not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(os.path.relpath(checkout / name, link.parent))


def _user_data(checkout: Path, folder: Path, stage_outputs: set[Path]) -> Iterator[Path]:
    for path in sorted((checkout / folder).glob("[!.]*")):
        name = folder / path.name
        if name in stage_outputs or name == Path(settings.of(checkout).scratch):
            continue
        if path.is_dir() and any(out.is_relative_to(name) for out in stage_outputs):
            yield from _user_data(checkout, name, stage_outputs)
        else:
            yield name
