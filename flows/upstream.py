"""What is new upstream, and which stages depend on it. Needs no Prefect."""

import json
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from flows.planning import dvc_graph
from repline import parameters
from repline.errors import InputError
from repline.files import write_json
from repline.sources.card import locked
from repline.sources.catalogue import load_sources
from repline.sources.freshness import changed, upstream
from repline.sources.web_server import Version

UNFINISHED = Path("data/scratch/refresh.json")  # the sources of a refresh that has not ended

# the result of `look`, where the caller of the flow has looked already
already_looked: ContextVar[tuple[dict[str, str], list[str]] | None] = ContextVar("already_looked", default=None)


def watched(root: Path) -> str | None:
    """The profile whose sources a refresh looks at, when nobody names one; None for the default one."""
    return _settings(root).get("profile")


def look(root: Path) -> tuple[dict[str, str], list[str]]:
    """Compare the public versions of the moving sources in use with the locked ones; nothing is fetched.

    Returns:
        by source, in words, what is new there; and a sentence for each source that could not be compared.
    """
    catalogue = load_sources(root / "sources.yaml")
    used = parameters.section(parameters.read(root / "params.yaml"), "acquire")["sources"]
    new, silent = {name: "a refresh of it has not ended" for name in _unfinished(root) if name in used}, []
    for name in used:
        if name not in catalogue:
            raise InputError(f"params.yaml: acquire.sources names {name!r}, which sources.yaml does not have")
        if not catalogue[name].moving:
            continue
        try:
            public = upstream(catalogue[name]) or {}
        except InputError as reason:
            silent.append(str(reason))
            continue
        here = _here(root / "data" / "raw" / name)
        if here is None:
            new[name] = ", ".join(f"{file}{_version(version)}, not here yet" for file, version in public.items())
        elif not here:
            silent.append(f"{name}: its files came from no web server, so there is no version to compare")
        elif files := changed(here, {file: version for file, version in public.items() if file in here}):
            new[name] = ", ".join(f"{file}{_version(public[file], here[file])}" for file in files)
    return new, silent


def summary(new: Mapping[str, str], silent: Iterable[str]) -> str:
    """The result of `look`, in words."""
    lines = [f"new: {name} ({what})" for name, what in new.items()]
    return "\n".join([*(lines or ["nothing new upstream"]), *silent])


def affected(root: Path, sources: Iterable[str]) -> tuple[list[str], list[str]]:
    """The acquire stages of some sources, and every stage that depends on one of them.

    Only those that `flows.refresh.targets` of params.yaml needs; without that setting, those of a plain run.
    """
    acquire = [f"acquire@{name}" for name in sources]
    plan = dvc_graph.read(root, [*targets, *acquire] if (targets := _settings(root).get("targets")) else ())
    if missing := [address for address in acquire if address not in plan]:
        raise InputError(f"dvc.yaml has no stage {missing[0]!r}")
    reached = set(acquire)
    for address, stage in plan.items():
        if reached & set(stage.upstream):
            reached.add(address)
    return acquire, [address for address in plan if address in reached]


def begin(root: Path, sources: Iterable[str]) -> None:
    """Note that these sources are being refreshed: if that is cut off, the next refresh goes on with them."""
    (root / UNFINISHED).parent.mkdir(parents=True, exist_ok=True)
    write_json(root / UNFINISHED, sorted(sources))


def end(root: Path) -> None:
    """Note that the refresh has ended: the sources are refreshed, or are as they were before."""
    (root / UNFINISHED).unlink(missing_ok=True)


def _unfinished(root: Path) -> list[str]:
    try:
        return json.loads((root / UNFINISHED).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []


def _settings(root: Path) -> dict[str, Any]:
    """The section flows.refresh of params.yaml."""
    return parameters.read(root / "params.yaml").get("flows", {}).get("refresh", {})


def _here(folder: Path) -> dict[str, Version] | None:
    try:
        return locked(folder)
    except InputError:  # no card
        return None


def _version(public: Mapping[str, Any], here: Mapping[str, Any] | None = None) -> str:
    """The date of a public version next to that of ours, for people: " of 2025-11-20, here 2025-11-01"."""
    for key in ("dump_date", "last_modified"):
        if public.get(key) and (here is None or (here.get(key) and here[key] != public[key])):
            return f" of {public[key]}" + (f", here {here[key]}" if here else "")
    return ""
