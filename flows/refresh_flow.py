"""The Prefect side of `refresh`: apart from it, so that looking for news needs no Prefect."""

from prefect import flow, get_run_logger
from prefect.artifacts import create_markdown_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows import upstream
from flows.reproduce import Profile, reproduce
from flows.workspaces import profiles
from flows.workspaces.rollback import Before
from flows.workspaces.workspace_lock import alone


@flow(name="refresh", flow_run_name="{profile}: refresh", persist_result=False)
def refresh(profile: Profile = profiles.DEFAULT) -> State:
    """Look for newer upstream data and reproduce what depends on it.

    Where that fails, as with a broken dump, the results of before are put back.

    Args:
        profile: the profile whose sources are looked at and whose results are brought up to date.
    """
    root = profiles.enter(profile)
    with alone(root):
        new, silent = upstream.given.get() or upstream.look(root)
        found = upstream.summary(new, silent)
        get_run_logger().info(found)
        lines = "\n".join(f"* {line}" for line in found.splitlines())
        create_markdown_artifact(lines, key=f"{profile.lower()}-upstream", description=f"Upstream of {profile}")
        if not new:
            return Completed(message=found)
        acquire, targets = upstream.affected(root, new)
        before = Before(root, targets)
        upstream.begin(root, new)
        state = reproduce(targets=acquire, profile=profile, force=True, return_state=True)
        if state.is_completed():
            state = reproduce(targets=targets, profile=profile, return_state=True)
        message = f"{found}\n{state.message}"
        if state.is_failed():
            before.restore()
            message += "\nthe results of before were kept"
        if not state.is_cancelled():  # then the next refresh goes on from here
            upstream.end(root)
        return State(type=state.type, name=state.name, message=message)
