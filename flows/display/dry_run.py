"""What a run would do, without doing it."""

from collections.abc import Iterator, Mapping

from flows.planning.dvc_graph import Stage


def lines(plan: Mapping[str, Stage], force: bool) -> Iterator[str]:
    """A line for each stage that would run, and for each that may have to run, because one above it would.

    Files that no stage makes come first.

    Args:
        force: every stage of the plan would run.
    """
    yield from (stage.missing for stage in plan.values() if stage.missing)
    changed = [stage for stage in plan.values() if not stage.fingerprint]
    for stage in changed:
        above = [address for address in stage.upstream if not plan[address].fingerprint]
        if force or not above:
            yield f"would run {stage.address}"
        else:
            yield f"may run {stage.address}, after {', '.join(above)}"
    yield f"{len(plan)} stages, {len(plan) - len(changed)} of them unchanged"
