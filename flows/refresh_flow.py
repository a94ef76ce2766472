"""The Prefect flow of `refresh`, in a module of its own so that looking for new data does not import Prefect."""

from prefect import flow, get_run_logger
from prefect.artifacts import create_markdown_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows import upstream
from flows.errors import InputError
from flows.reproduce import DEFAULT, Profile, reproduce
from flows.workspaces import profiles
from flows.workspaces.rollback import Before
from flows.workspaces.workspace_lock import alone


@flow(name="refresh", flow_run_name="{profile}: refresh", persist_result=False)
def refresh(profile: Profile = DEFAULT) -> State:
    """Look for newer upstream data and reproduce what depends on it.

    If that fails, as with a broken dump, the earlier results are put back.

    Args:
        profile: the profile whose sources are looked at and whose results are brought up to date.
    """
    try:
        root = profiles.enter(profile)
        with alone(root):
            new, silent = upstream.already_looked.get() or upstream.look(root)
            summary = upstream.summary(new, silent)
            get_run_logger().info(summary)
            lines = "\n".join(f"* {line}" for line in summary.splitlines())
            create_markdown_artifact(lines, key=f"{profile.lower()}-upstream", description=f"Upstream of {profile}")
            if not new:
                return (Failed if silent else Completed)(message=summary)
            acquire, targets = upstream.affected(root, new)
            before = Before(root, targets, goes_on=upstream.is_unfinished(root))
            upstream.begin(root, new)
            state = reproduce(targets=acquire, profile=profile, force=True, return_state=True)
            if state.is_completed():
                state = reproduce(targets=targets, profile=profile, return_state=True)
            message = f"{summary}\n{state.message}"
            if state.is_failed():
                lost = before.restore()
                message += "\nthe results of before were kept"
                message += f", except for {', '.join(lost)}: DVC's cache does not have what was there" if lost else ""
            if not state.is_cancelled():  # a cancelled refresh is continued by the next one
                upstream.end(root)
                before.forget()
            return State(type=state.type, name=state.name, message=message)
    except InputError as error:  # raised, it would lie in Prefect's storage with its traceback
        return Failed(message=str(error))
