"""The flow `refresh`: is there something new upstream? Then acquire it again and reproduce what depends on it."""

from pathlib import Path

from flows import graph, profiles, server
from repline import parameters
from repline.errors import InputError
from repline.sources import changed, load_sources, locked, upstream


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


def command(profile: str) -> int:
    """`python -m flows refresh`; without a configured server Prefect starts only when there is something new."""
    root = profiles.enter(profile)
    url = server.configured()
    if url:
        server.check(url)
        return _run(profile, None)
    new, silent = look(root)
    print(summary(new, silent))
    if not new:
        return 0
    with server.own() as own:
        own.wait()
        code = _run(profile, new)

        from flows.reproduce import submitted

        own.settle(submitted)
        return code


def _run(profile: str, new: dict[str, list[str]] | None) -> int:
    from flows.refreshing import refresh

    state = refresh(profile=profile, new=new, return_state=True)
    print(state.message or state.name)
    return 0 if state.is_completed() else 130 if state.is_cancelled() else 1


def affected(root: Path, sources: list[str]) -> tuple[list[str], list[str]]:
    """The acquire stages of some sources, and every stage that depends on one of them."""
    plan = graph.read(root)
    acquire = [f"acquire@{name}" for name in sources]
    if missing := [address for address in acquire if address not in plan]:
        raise InputError(f"dvc.yaml has no stage {missing[0]!r}")
    reached = set(acquire)
    for address, stage in plan.items():
        if reached & set(stage.upstream):
            reached.add(address)
    return acquire, [address for address in plan if address in reached]
