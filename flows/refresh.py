"""The flow `refresh`: is there something new upstream? Then acquire it again and reproduce what depends on it."""

from flows import prefect_server, profiles
from flows.upstream import look, summary


def command(profile: str) -> int:
    """`python -m flows refresh`; without a configured server Prefect starts only when there is something new."""
    root = profiles.enter(profile)
    url = prefect_server.configured()
    if url:
        prefect_server.check(url)
        return _run(profile, None)
    new, silent = look(root)
    print(summary(new, silent))
    if not new:
        return 0
    with prefect_server.own() as own:
        own.wait()
        code = _run(profile, new)

        from flows.reproduce import submitted

        own.settle(submitted)
        return code


def _run(profile: str, new: dict[str, list[str]] | None) -> int:
    from flows.refresh_flow import refresh

    state = refresh(profile=profile, new=new, return_state=True)
    print(state.message or state.name)
    return 0 if state.is_completed() else 130 if state.is_cancelled() else 1
