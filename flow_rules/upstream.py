"""Which sources are newer where they come from, and when `refresh` looks for them."""

from collections.abc import Iterable
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from repline.sources.card import locked
from repline.sources.catalogue import load_sources
from repline.sources.freshness import changed, upstream
from repline.sources.web_server import Version


def schedule(root: Path) -> parameters.Values:
    """The section flows.refresh of params.yaml: cron, timezone, profile, targets; empty where there is none."""
    flows = parameters.read(root / "params.yaml").get("flows") or {}
    return (flows.get("refresh") if isinstance(flows, dict) else flows) or {}


def acquiring(source: str) -> str:
    """The address of the stage that acquires a source."""
    return f"acquire@{source}"


def news(root: Path, unfinished: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Compare the public versions of the moving sources in use with the locked ones; nothing is fetched.

    Args:
        root: the project's folder.
        unfinished: the sources of a refresh that was cut off.

    Returns:
        by source, in words, what is new there; and a sentence for each source that could not be compared.
    """
    catalogue = load_sources(root / "sources.yaml")
    used = parameters.section(parameters.read(root / "params.yaml"), "acquire")["sources"]
    new, silent = {name: "a refresh of it has not ended" for name in unfinished if name in used}, []
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


def _here(folder: Path) -> dict[str, Version] | None:
    try:
        return locked(folder)
    except InputError:  # no card
        return None


def _version(public: Version, here: Version | None = None) -> str:
    """The date of a public version next to that of ours, for people: " of 2025-11-20, here 2025-11-01"."""
    for key in ("dump_date", "last_modified"):
        if public.get(key) and (here is None or (here.get(key) and here[key] != public[key])):
            return f" of {public[key]}" + (f", here {here[key]}" if here else "")
    return ""
