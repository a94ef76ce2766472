"""What is new upstream, and which stages depend on it. Needs no Prefect."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

from flows.errors import InputError
from flows.files import write_json
from flows.planning import dvc_graph
from flows.planning.selection import Selection
from flows.project import hooks, settings
from flows.project.nearest import nearest
from flows.workspaces import profiles

# what an entry of the schedule is
KINDS = {
    "cron": (str, "a text such as '0 5 * * 1'"),
    "timezone": (str, "a name such as 'Europe/Berlin'"),
    "profile": (str, "the name of a profile"),
    "targets": (list, "a list of targets"),
}

# the result of `look`, where the caller of the flow has looked already
already_looked: ContextVar[tuple[dict[str, str], list[str]] | None] = ContextVar("already_looked", default=None)


def watched(root: Path) -> str | None:
    """The profile whose sources a refresh looks at, when none is named; None for the default one."""
    return schedule(root).get("profile")


def look(root: Path) -> tuple[dict[str, str], list[str]]:
    """Compare what is public with what is here; nothing is fetched.

    Returns:
        by source, in words, what is new there; and a sentence for each source that could not be compared.
    """
    return _asked("news")(root, _unfinished(root))


def schedule(root: Path) -> hooks.Schedule:
    """When and what the project wants to be refreshed, without the entries that are empty.

    Raises:
        InputError: it has no schedule, or one with a wrong entry.
    """
    answer = _asked("schedule")(root)
    where = f"the schedule of refresh (the hook {settings.of(root).hooks['schedule']})"
    if not isinstance(answer, Mapping):
        raise InputError(f"{where} should be a table, found {answer!r}")
    entries = {name: value for name, value in answer.items() if value not in (None, "", [])}
    for name, value in entries.items():
        if name not in KINDS:
            raise InputError(f"{where} has an entry {name!r}{nearest(name, KINDS)}")
        kind, words = KINDS[name]
        if not isinstance(value, kind) or (kind is list and not all(isinstance(target, str) for target in value)):
            raise InputError(f"{where}: {name} should be {words}, found {value!r}")
    if (profile := entries.get("profile")) and profile not in profiles.names():
        raise InputError(f"{where} names the profile {profile!r}{nearest(profile, profiles.names())}")
    return cast(hooks.Schedule, entries)


def scheduled(root: Path) -> hooks.Schedule:
    """The schedule for `serve`; empty where the project has none.

    Raises:
        InputError: a schedule with a wrong entry, or no functions that say what is new.
    """
    if not hooks.find("schedule"):
        return {}
    entries = schedule(root)
    for name in ("news", "acquiring") if entries.get("cron") else ():
        _asked(name)
    return entries


def _asked(name: str) -> Callable[..., Any]:
    """A function of the project, which only the project can have."""
    if function := hooks.find(name):
        return function
    raise InputError(f"this project does not say where new data comes from: pyproject.toml names no hook {name!r}")


def summary(new: Mapping[str, str], silent: Iterable[str]) -> str:
    """The result of `look`, in words."""
    silent = list(silent)
    lines = [f"new: {name} ({what})" for name, what in new.items()]
    nothing = "could not see whether anything is new upstream" if silent else "nothing new upstream"
    return "\n".join([*(lines or [nothing]), *silent])


def affected(root: Path, sources: Collection[str]) -> tuple[list[str], list[str]]:
    """The acquire stages of some sources, and every stage that depends on one of them.

    Only those that the targets of the schedule need; without targets, those of a plain run.

    Raises:
        InputError: a source has no acquire stage, or one that a run would leave as it is.
    """
    acquire = [_asked("acquiring")(name) for name in sources]
    targets = schedule(root).get("targets")
    plan = dvc_graph.read(root, Selection((*targets, *acquire) if targets else ()))
    for source, address in zip(sources, acquire, strict=True):
        if address not in plan:
            raise InputError(f"dvc.yaml has no stage {address!r}")
        if not plan[address].has_command:
            raise InputError(
                f"no run fetches {source}: its stage {address!r} is frozen or has no command (`dvc update` brings an "
                "import); let a stage with a command acquire it"
            )
    reached = set(acquire)
    for address, stage in plan.items():
        if reached & set(stage.upstream):
            reached.add(address)
    return acquire, [address for address in plan if address in reached]


def begin(root: Path, sources: Iterable[str]) -> None:
    """Note that these sources are being refreshed: if that is cut off, the next refresh goes on with them."""
    write_json(_unfinished_file(root), sorted(sources))


def end(root: Path) -> None:
    """Note that the refresh has ended: the sources are refreshed, or are as they were before."""
    _unfinished_file(root).unlink(missing_ok=True)


def is_unfinished(root: Path) -> bool:
    """Whether the last refresh was cut off, so that the next one goes on with it."""
    return _unfinished_file(root).exists()


def _unfinished_file(root: Path) -> Path:
    """The file that names the sources of a refresh that has not ended."""
    return settings.scratch(root) / "refresh.json"


def _unfinished(root: Path) -> list[str]:
    try:
        return json.loads(_unfinished_file(root).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
