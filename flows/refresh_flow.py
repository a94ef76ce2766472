"""The Prefect side of `refresh`: apart from it, so that looking for news needs no Prefect."""

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows import profiles
from flows.reproduce import reproduce
from flows.upstream import affected, look, summary


@flow(name="refresh")
def refresh(profile: str = profiles.DEFAULT, new: dict[str, list[str]] | None = None) -> State:
    """Look for newer upstream data and reproduce what depends on it.

    Args:
        profile: the profile whose sources are looked at and whose results are brought up to date.
        new: changed files by source, where the caller has looked already.
    """
    root = profiles.enter(profile)
    silent: list[str] = []
    if new is None:
        new, silent = look(root)
    found = summary(new, silent)
    get_run_logger().info(found)
    if not new:
        return Completed(message=found)
    acquire, targets = affected(root, list(new))
    state = reproduce(targets=acquire, profile=profile, force=True, return_state=True)
    if state.is_completed():
        state = reproduce(targets=targets, profile=profile, return_state=True)
    return State(type=state.type, name=state.name, message=f"{found}\n{state.message}")
