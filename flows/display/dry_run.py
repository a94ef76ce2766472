"""What a run would do, without doing it."""

from collections.abc import Iterator, Mapping

from flows.planning.dvc_graph import Stage


def lines(plan: Mapping[str, Stage], force: bool) -> Iterator[str]:
    """A line for each stage that would run, and for each that may have to run, because one above it would.

    What cannot be had, and what stages say that a run cannot use, comes first.

    Args:
        force: every stage of the plan would run.
    """
    yield from (warning for stage in plan.values() for warning in stage.warnings)
    changed = [stage for stage in plan.values() if not stage.fingerprint]
    for stage in changed:
        above = [address for address in stage.upstream if not plan[address].fingerprint]
        if force or not above:
            yield f"would run {stage.address}"
        else:
            yield f"may run {stage.address}, after {', '.join(above)}"
    yield f"{len(plan)} stages, {len(plan) - len(changed)} of them unchanged"
