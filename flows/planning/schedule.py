"""Which stages start now: the longest way to the end in seconds first, with room kept for wide stages.

A plan of the near future is made anew at every decision. Each ready stage, the most urgent first, gets the earliest
place where it fits beside what runs and what is placed already; those whose place is now start. So a less urgent stage
starts only where it is expected to be out of the way in time. A wide stage (more than one thread) that is not ready yet
gets its place too, because a narrow one would take a thread from it just before it is: but only when its turn is nearer
than it is long, since threads stay idle for it.

This is conservative backfilling, with reservations ahead of time for wide stages.
Source: Mu'alem and Feitelson, "Utilization, predictability, workloads, and user runtime estimates in scheduling the
IBM SP2 with backfilling" (2001), section 3.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from flows.planning.dvc_graph import Stage

OVERRUN = 0.25  # a stage that takes longer than expected will go on for this part of its time so far
MOMENT = 0.001  # seconds; what runs has not ended
ELSEWHERE = 10.0  # seconds for which other flows are expected to keep what they take
MARGIN = 5  # a guessed stage may take this many times as long


@dataclass(frozen=True)
class Estimate:
    """How many seconds a stage will take, and whether that was measured."""

    seconds: float
    measured: bool = True

    @property
    def longest(self) -> float:
        return self.seconds if self.measured else MARGIN * self.seconds

    def left(self, elapsed: float) -> float:
        """Seconds to the end of a stage that has run for `elapsed`."""
        return self.seconds - elapsed if elapsed < self.seconds else OVERRUN * elapsed


@dataclass(frozen=True)
class Room:
    """What stages take, or what there is of it: stages at the same time, processor threads, GPUs."""

    jobs: int
    threads: int
    gpus: int

    def holds(self, other: "Room") -> bool:
        return self.jobs >= other.jobs and self.threads >= other.threads and self.gpus >= other.gpus

    def without(self, other: "Room") -> "Room":
        return Room(self.jobs - other.jobs, self.threads - other.threads, self.gpus - other.gpus)

    def of(self, stage: Stage) -> "Room":
        """What `stage` takes here: one that asks for more than there is takes it all."""
        return Room(1, min(stage.threads, self.threads), min(stage.gpus, self.gpus))


def urgency(plan: Mapping[str, Stage], estimates: Mapping[str, Estimate]) -> dict[str, float]:
    """The longest way from the start of each stage to the end of the graph, in seconds; unchanged stages take none.

    Args:
        plan: the stages by address, each after the ones it depends on.
        estimates: of every stage.
    """
    ways: dict[str, float] = {}
    for stage in reversed([*plan.values()]):
        own = 0.0 if stage.fingerprint else estimates[stage.address].seconds
        ways[stage.address] = ways.get(stage.address, 0.0) + own
        for upstream in stage.upstream:
            ways[upstream] = max(ways.get(upstream, 0.0), ways[stage.address])
    return ways


def time_left(
    plan: Mapping[str, Stage],
    estimates: Mapping[str, Estimate],
    waiting: Collection[str],
    running: Mapping[str, float],
    room: Room,
) -> float:
    """Seconds to the end at best: the longest way there, or all the work on all the threads, whichever is longer.

    Args:
        waiting, running, room: as for `starting`.
    """
    ways: dict[str, float] = {}
    work = 0.0
    for stage in reversed([*plan.values()]):
        seconds = running.get(stage.address, estimates[stage.address].seconds if stage.address in waiting else 0.0)
        ways[stage.address] = ways.get(stage.address, 0.0) + seconds
        work += seconds * room.of(stage).threads
        for upstream in stage.upstream:
            ways[upstream] = max(ways.get(upstream, 0.0), ways[stage.address])
    return max([work / max(min(room.threads, room.jobs), 1), *ways.values()])


def starting(
    plan: Mapping[str, Stage],
    estimates: Mapping[str, Estimate],
    ways: Mapping[str, float],
    waiting: Collection[str],
    running: Mapping[str, float],
    room: Room,
    elsewhere: Room | None = None,
    finishing: Collection[str] = (),
) -> list[str]:
    """The stages to start now.

    Args:
        plan: the stages by address, each after the ones it depends on.
        estimates: of every stage.
        ways: their `urgency`.
        waiting: the stages that have to run and have not started.
        running: the expected seconds to the end of each stage that takes room.
        room: what there is when nothing runs.
        elsewhere: what other flows take of it.
        finishing: those of the running stages that take no room any more.
    """
    future = _Future(room)
    if elsewhere:
        future.take(elsewhere, 0.0, ELSEWHERE)
    ends = {address: MOMENT if address in finishing else max(seconds, MOMENT) for address, seconds in running.items()}
    for address, seconds in ends.items():
        if address not in finishing:
            future.take(room.of(plan[address]), 0.0, seconds)
    chosen: list[str] = []
    for stage in _candidates(plan, ways, waiting, room):
        if not future.free_now():
            break
        need, estimate = room.of(stage), estimates[stage.address]
        ready = not any(upstream in waiting or upstream in running for upstream in stage.upstream)
        if ready:
            start = future.earliest(need, 0.0, estimate.longest)
            if start == 0.0:
                chosen.append(stage.address)
        else:
            inputs = max(ends.get(upstream, 0.0) for upstream in stage.upstream)
            start = future.earliest(need, inputs, estimate.seconds)
        ends[stage.address] = start + estimate.seconds
        if ready or (need.threads > 1 and start <= estimate.seconds):
            future.take(need, start, estimate.seconds)
    return chosen


def _candidates(
    plan: Mapping[str, Stage], ways: Mapping[str, float], waiting: Collection[str], room: Room
) -> Iterator[Stage]:
    """The stages that get a place, the most urgent first: the ready ones, and the wide ones with all that they need."""
    ahead: set[str] = set()
    for stage in reversed([*plan.values()]):
        if stage.address in waiting and (room.of(stage).threads > 1 or stage.address in ahead):
            ahead |= {stage.address, *stage.upstream}
    blocked = set(waiting)
    for address in sorted(waiting, key=lambda one: -ways[one]):
        stage = plan[address]
        if address in ahead or not blocked.intersection(stage.upstream):
            yield stage


class _Future:
    """How much room is free from now (0.0) on, as steps."""

    def __init__(self, room: Room):
        self._times, self._free = [0.0], [room]

    def free_now(self) -> bool:
        """Whether anything can start now."""
        return self._free[0].jobs > 0 and self._free[0].threads > 0

    def earliest(self, need: Room, after: float, seconds: float) -> float:
        """The first time from `after` on at which there is room for `seconds`."""
        start = after
        for place, time in enumerate(self._times):
            end = self._times[place + 1] if place + 1 < len(self._times) else float("inf")
            if end <= start:
                continue
            if time >= start + seconds and time > start:
                break
            if not self._free[place].holds(need):
                start = end
        return start

    def take(self, need: Room, start: float, seconds: float) -> None:
        end = start + seconds
        for time in (start, end):
            self._cut(time)
        for place, time in enumerate(self._times):
            if start <= time < end:
                self._free[place] = self._free[place].without(need)

    def _cut(self, time: float) -> None:
        """Make `time` the beginning of a step."""
        place = next((number for number, other in enumerate(self._times) if other >= time), len(self._times))
        if place == len(self._times) or self._times[place] != time:
            self._times.insert(place, time)
            self._free.insert(place, self._free[place - 1])
