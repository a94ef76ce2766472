"""The flow `refresh`: is there something new upstream? Then acquire it again and reproduce what depends on it."""

from flows import prefect_server, profiles
from flows.upstream import look, summary


def command(profile: str, verbose: bool = False) -> int:
    """`python -m flows refresh`; without a configured server Prefect starts only when there is something new."""
    root = profiles.enter(profile)
    url = prefect_server.configured()
    if url:
        prefect_server.check(url)
        return _run(profile, None, verbose)
    new, silent = look(root)
    if not new:
        print(summary(new, silent))
        return 0
    with prefect_server.own() as own:
        return _run(profile, new, verbose, own)


def _run(
    profile: str, new: dict[str, list[str]] | None, verbose: bool, own: prefect_server.OwnServer | None = None
) -> int:
    from flows import console
    from flows.graph_run import submitted
    from flows.refresh_flow import refresh

    def run():
        if own:
            own.wait()
        state = refresh(profile=profile, new=new, return_state=True)
        if own:
            own.settle(submitted)
        return state

    return console.show(run, profile, verbose)
