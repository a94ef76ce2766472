"""Reproduce one stage among the others: with --single-item DVC forgets what the stages above it wrote.

With --allow-missing a dependency that is not here counts as unchanged unless the stage above has another one in its
lock, which DVC sees only where it has the graph.
"""

from typing import Any


def plan_one_stage() -> None:
    """Patch DVC: of the graph that it reads, it reproduces the target alone."""
    from dvc.repo import reproduce

    def plan_repro(graph: Any, stages: list[Any] | None = None, **_: Any) -> list[Any]:
        return stages or []

    reproduce.plan_repro = plan_repro
