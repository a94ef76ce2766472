"""The flow run that this code is in, as Prefect knows it."""

from prefect.client.schemas.objects import FlowRun
from prefect.context import FlowRunContext


def flow_context() -> FlowRunContext:
    """The context of the running flow; RuntimeError outside of one."""
    context = FlowRunContext.get()
    if context is None:
        raise RuntimeError("this runs inside a flow of Prefect alone")
    return context


def flow_run(context: FlowRunContext | None = None) -> FlowRun:
    """The flow run of a context, by default of the running flow; RuntimeError where it has none."""
    run = (context or flow_context()).flow_run
    if run is None:
        raise RuntimeError("Prefect's context has no flow run")
    return run
