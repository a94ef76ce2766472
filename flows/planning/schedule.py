"""Which stages start now: those with the longest path to the end, in seconds, first, with room kept for wide stages.

Every decision plans the near future again. Each ready stage, the most urgent first, gets the earliest start at which
it fits next to what runs and what is planned already; the stages whose start is now are started. So a less urgent stage
starts only if it is expected to end before a more urgent one needs its room. A wide stage (more than one thread) that
is not ready yet is planned too, because a narrow stage could otherwise take a thread just before the wide one becomes
ready; but only if it starts sooner than it is long, since threads stay idle for it.

This is conservative backfilling, with reservations ahead of time for wide stages.
Source: Mu'alem and Feitelson, "Utilization, predictability, workloads, and user runtime estimates in scheduling the
IBM SP2 with backfilling" (2001), section 3.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from flows.planning.dvc_graph import Stage

OVERRUN = 0.25  # a stage that takes longer than expected goes on for this share of its time so far
MOMENT = 0.001  # seconds; the least time left of a stage that runs
OTHER_FLOWS = 10.0  # seconds for which other flows are expected to keep what they take
MARGIN = 5  # a guessed stage may take this many times as long


@dataclass(frozen=True)
class Estimate:
    """How many seconds a stage will take, and whether that was measured."""

    seconds: float
    measured: bool = True

    @property
    def longest(self) -> float:
        """Seconds that the stage may take if the estimate is a guess."""
        return self.seconds if self.measured else MARGIN * self.seconds

    def left(self, elapsed: float) -> float:
        """Seconds to the end of a stage that has run for `elapsed`."""
        return self.seconds - elapsed if elapsed < self.seconds else OVERRUN * elapsed


@dataclass(frozen=True)
class Room:
    """Room that stages take, or that is free: stages at the same time, processor threads, GPUs, bytes of memory."""

    jobs: int
    threads: int
    gpus: int
    memory: int = 0

    def holds(self, need: "Room") -> bool:
        """Whether there is as much room as is needed."""
        counts = self.jobs >= need.jobs and self.threads >= need.threads and self.gpus >= need.gpus
        return counts and (need.memory == 0 or self.memory >= need.memory)

    def without(self, taken: "Room") -> "Room":
        """The room that is left when some is taken."""
        counts = (self.jobs - taken.jobs, self.threads - taken.threads, self.gpus - taken.gpus)
        return Room(*counts, self.memory - taken.memory)

    def of(self, stage: Stage) -> "Room":
        """The part of this room that `stage` takes; all of it where the stage asks for more."""
        memory = min(stage.memory or 0, self.memory)
        return Room(1, min(stage.threads, self.threads), min(stage.gpus, self.gpus), memory)


def urgency(plan: Mapping[str, Stage], estimates: Mapping[str, Estimate]) -> dict[str, float]:
    """The longest path from the start of each stage to the end of the graph, in seconds; unchanged stages take none.

    Args:
        plan: the stages by address, each after the ones it depends on.
        estimates: how long every stage takes.
    """
    paths: dict[str, float] = {}
    for stage in reversed([*plan.values()]):
        seconds = 0.0 if stage.fingerprint else estimates[stage.address].seconds
        paths[stage.address] = paths.get(stage.address, 0.0) + seconds
        for upstream in stage.upstream:
            paths[upstream] = max(paths.get(upstream, 0.0), paths[stage.address])
    return paths


def time_left(
    plan: Mapping[str, Stage],
    estimates: Mapping[str, Estimate],
    waiting: Collection[str],
    running: Mapping[str, float],
    room: Room,
) -> float:
    """Least seconds to the end: the longest path, or all the work spread over all threads, whichever is longer.

    Args:
        waiting, running, room: as for `starting`.
    """
    paths: dict[str, float] = {}
    work = 0.0
    for stage in reversed([*plan.values()]):
        seconds = running.get(stage.address, estimates[stage.address].seconds if stage.address in waiting else 0.0)
        paths[stage.address] = paths.get(stage.address, 0.0) + seconds
        work += seconds * room.of(stage).threads
        for upstream in stage.upstream:
            paths[upstream] = max(paths.get(upstream, 0.0), paths[stage.address])
    return max([work / max(min(room.threads, room.jobs), 1), *paths.values()])


def starting(
    plan: Mapping[str, Stage],
    estimates: Mapping[str, Estimate],
    paths: Mapping[str, float],
    waiting: Collection[str],
    running: Mapping[str, float],
    room: Room,
    elsewhere: Room | None = None,
    finishing: Collection[str] = (),
) -> list[str]:
    """The stages to start now.

    Args:
        plan: the stages by address, each after the ones it depends on.
        estimates: how long every stage takes.
        paths: their `urgency`.
        waiting: the stages that have to run and have not started.
        running: the expected seconds to the end of each stage that takes room.
        room: all the room, when nothing runs.
        elsewhere: the part of it that other flows take.
        finishing: running stages that take no room any more.
    """
    future = _Future(room)
    if elsewhere:
        future.take(elsewhere, 0.0, OTHER_FLOWS)
    ends = {address: MOMENT if address in finishing else max(seconds, MOMENT) for address, seconds in running.items()}
    for address, seconds in ends.items():
        if address not in finishing:
            future.take(room.of(plan[address]), 0.0, seconds)
    addresses: list[str] = []
    for stage in _candidates(plan, paths, waiting, room):
        if not future.free_now():
            break
        need, estimate = room.of(stage), estimates[stage.address]
        ready = not any(upstream in waiting or upstream in running for upstream in stage.upstream)
        if ready:
            start = future.earliest(need, 0.0, estimate.longest)
            if start == 0.0:
                addresses.append(stage.address)
        else:
            inputs = max(ends.get(upstream, 0.0) for upstream in stage.upstream)
            start = future.earliest(need, inputs, estimate.seconds)
        ends[stage.address] = start + estimate.seconds
        if ready or (need.threads > 1 and start <= estimate.seconds):
            future.take(need, start, estimate.seconds)
    return addresses


def _candidates(
    plan: Mapping[str, Stage], paths: Mapping[str, float], waiting: Collection[str], room: Room
) -> Iterator[Stage]:
    """The stages to plan, the most urgent first: the ready ones, and the wide ones with all that they need."""
    ahead: set[str] = set()
    for stage in reversed([*plan.values()]):
        if stage.address in waiting and (room.of(stage).threads > 1 or stage.address in ahead):
            ahead |= {stage.address, *stage.upstream}
    blocked = set(waiting)
    for address in sorted(waiting, key=lambda address: -paths[address]):
        stage = plan[address]
        if address in ahead or not blocked.intersection(stage.upstream):
            yield stage


class _Future:
    """The free room from now (0.0) on, as a step function of time."""

    def __init__(self, room: Room):
        self._times, self._free = [0.0], [room]

    def free_now(self) -> bool:
        """Whether anything can start now."""
        return self._free[0].jobs > 0 and self._free[0].threads > 0

    def earliest(self, need: Room, after: float, seconds: float) -> float:
        """The first time from `after` on at which there is room for `seconds`."""
        start = after
        for step, time in enumerate(self._times):
            end = self._times[step + 1] if step + 1 < len(self._times) else float("inf")
            if end <= start:
                continue
            if time >= start + seconds and time > start:
                break
            if not self._free[step].holds(need):
                start = end
        return start

    def take(self, need: Room, start: float, seconds: float) -> None:
        end = start + seconds
        for time in (start, end):
            self._cut(time)
        for step, time in enumerate(self._times):
            if start <= time < end:
                self._free[step] = self._free[step].without(need)

    def _cut(self, time: float) -> None:
        """Make `time` the beginning of a step."""
        step = next((number for number, start in enumerate(self._times) if start >= time), len(self._times))
        if step == len(self._times) or self._times[step] != time:
            self._times.insert(step, time)
            self._free.insert(step, self._free[step - 1])
