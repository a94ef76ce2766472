"""What is new upstream, and what depends on it: without Prefect."""

from pathlib import Path

from flows import dvc_graph
from repline import parameters
from repline.errors import InputError
from repline.sources.card import locked
from repline.sources.catalogue import load_sources
from repline.sources.freshness import changed, upstream


def look(root: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Compare the public versions of the moving sources in use with the locked ones; nothing is fetched.

    Returns:
        the changed files of each source that has some, and a sentence for each source that could not be compared.
    """
    catalogue = load_sources(root / "sources.yaml")
    used = parameters.section(parameters.read(root / "params.yaml"), "acquire")["sources"]
    new, silent = {}, []
    for name in used:
        if name not in catalogue:
            raise InputError(f"params.yaml: acquire.sources names {name!r}, which sources.yaml does not have")
        try:
            public = upstream(catalogue[name])
            here = locked(root / "data" / "raw" / name) if public else {}
        except InputError as reason:
            silent.append(str(reason))
            continue
        if public and not here:
            silent.append(f"{name}: its files came from no web server, so there is no version to compare")
        elif files := changed(here, {file: version for file, version in (public or {}).items() if file in here}):
            new[name] = files
    return new, silent


def summary(new: dict[str, list[str]], silent: list[str]) -> str:
    """What `look` found, in words."""
    found = [f"{name} has something new: {', '.join(files)}" for name, files in new.items()]
    return "\n".join([*(found or ["nothing new upstream"]), *silent])


def affected(root: Path, sources: list[str]) -> tuple[list[str], list[str]]:
    """The acquire stages of some sources, and every stage that depends on one of them."""
    plan = dvc_graph.read(root)
    acquire = [f"acquire@{name}" for name in sources]
    if missing := [address for address in acquire if address not in plan]:
        raise InputError(f"dvc.yaml has no stage {missing[0]!r}")
    reached = set(acquire)
    for address, stage in plan.items():
        if reached & set(stage.upstream):
            reached.add(address)
    return acquire, [address for address in plan if address in reached]
