"""A run of a graph without running anything: the scheduler's choices, and a clock that jumps from end to end."""

from collections.abc import Mapping

from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Estimate, Room, starting, urgency

Span = tuple[float, float]


def simulate(
    plan: Mapping[str, Stage],
    seconds: Mapping[str, float],
    room: Room,
    estimates: Mapping[str, Estimate] | None = None,
    watch=lambda now, starts, waiting, running: None,
) -> dict[str, Span]:
    """When each stage starts and ends, in seconds.

    Args:
        seconds: what the stages take in truth.
        estimates: what the scheduler believes; the truth by default.
        watch: called at every decision with the time, the chosen stages, those that wait, and when each of those that
            ran before ends.
    """
    estimates = estimates or {address: Estimate(time) for address, time in seconds.items()}
    paths = urgency(plan, estimates)
    waiting, spans, now = set(plan), {}, 0.0
    while waiting or any(end > now for _, end in spans.values()):
        running = {address: end for address, (_, end) in spans.items() if end > now}
        left = {address: estimates[address].left(now - spans[address][0]) for address in running}
        in_order = [address for address in plan if address in waiting]
        starts = starting(plan, estimates, paths, in_order, left, room)
        watch(now, starts, in_order, running)
        for address in starts:
            assert all(spans[upstream][1] <= now for upstream in plan[address].upstream)
            waiting.discard(address)
            spans[address] = now, round(now + seconds[address], 6)  # two ends at one time are one end
        taken = [room.of(plan[address]) for address, (_, end) in spans.items() if end > now]
        assert len(taken) <= room.jobs and sum(need.threads for need in taken) <= room.threads
        assert sum(need.gpus for need in taken) <= room.gpus
        assert taken, f"nothing runs, and these wait: {waiting}"
        now = min(end for _, end in spans.values() if end > now)
    return spans


def bound(plan: Mapping[str, Stage], seconds: Mapping[str, float], room: Room) -> float:
    """No schedule is shorter: the longest way through the graph, or all the work on all the threads."""
    paths = urgency(plan, {address: Estimate(time) for address, time in seconds.items()})
    work = sum(seconds[address] * room.of(stage).threads for address, stage in plan.items())
    return max(max(paths.values()), work / room.threads)


def no_delay_by_less_urgent(plan: Mapping[str, Stage], seconds: Mapping[str, float], room: Room, paths: Mapping):
    """A `watch` that asserts: what was chosen does not put off the most urgent stage that is ready and has to wait.

    A wide stage that is more urgent and not ready yet has room kept for it, so then nothing is asserted.
    """

    def earliest(address: str, now: float, ends: Mapping[str, float]) -> float:
        for time in sorted({now, *ends.values()}):
            free = room
            for running, end in ends.items():
                free = free.without(room.of(plan[running])) if end > time else free
            if free.holds(room.of(plan[address])):
                return time
        raise AssertionError("never")

    def watch(now: float, started: list[str], waiting: list[str], running: dict[str, float]) -> None:
        held = [address for address in waiting if address not in started]
        ready = [
            address for address in held if not any(up in waiting or up in running for up in plan[address].upstream)
        ]
        after = running | {address: round(now + seconds[address], 6) for address in started}
        first = max(ready, key=paths.get, default=None)
        wide = [
            address
            for address in held
            if address not in ready and plan[address].threads > 1 and paths[address] > paths.get(first, 0)
        ]
        if first is None or wide:
            return
        before = {
            address: end for address, end in after.items() if address in running or paths[address] >= paths[first]
        }
        assert earliest(first, now, before) == earliest(first, now, after) > now

    return watch
