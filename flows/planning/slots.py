"""The room that running stages share: a number of stages, processor threads, GPUs, memory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flows.planning.dvc_graph import Stage
from flows.planning.lent_slots import VARIABLE, LentSlots
from flows.planning.machine import Free, Machine
from flows.planning.schedule import Room


@dataclass(frozen=True)
class _Taken:
    """The room of a running stage.

    `shared` of its threads are the machine's, with the locks `held`, and `extra` are not. `lent`: both, and its GPUs.
    """

    threads: int
    shared: int
    extra: int
    gpus: list[str]
    held: list[str]
    memory: int
    lent: LentSlots | None


class Slots:
    """Room for `jobs` stages whose threads sum up to `threads`, their bytes to `memory`, and one stage on each GPU.

    A stage that asks for more threads or GPUs than there are takes them all, of GPUs none where there is none.

    With a `machine`, its threads and GPUs are shared with the other flows that run there: then `take` holds inside
    `look`. Threads beyond the machine's (the user asked for more than there are) are not shared.

    A flow that a stage started also has what this stage holds. Where nothing of it runs, its next stage starts with
    fewer threads than it asks for, if no more are free: two such flows could wait for each other's threads for ever.
    """

    def __init__(
        self,
        jobs: int,
        threads: int,
        gpus: list[str] | None = None,
        machine: Machine | None = None,
        memory: int = 0,
    ):
        self.jobs, self.threads, self.memory = jobs, threads, memory
        self._machine, self._free = machine, Free()
        self._extra = threads - len(machine.threads) if machine else threads
        self.gpus = gpus if gpus is not None else visible_gpus()
        self._free_gpus = list(self.gpus)
        self.room = Room(jobs, threads, len(self._free_gpus), memory)  # all there is
        self._taken: dict[str, _Taken] = {}

    @contextmanager
    def look(self) -> Iterator[Room]:
        """The room that other flows of this machine take now."""
        if not self._machine:
            yield Room(0, 0, 0)
            return
        with self._machine.look(idle=not self._taken) as self._free:
            ours = sum(took.shared for took in self._taken.values())
            threads = max(len(self._machine.threads) - len(self._free.threads) - ours, 0)
            if self._needs_no_more_threads():
                threads = 0
            gpus = sum(1 for device in self._free_gpus if device not in self._free.gpus)
            yield Room(0, threads, gpus)

    def close(self) -> None:
        """Give the machine's threads and GPUs back."""
        if self._machine:
            self._machine.close()

    def take(self, stage: Stage) -> dict[str, str] | None:
        """The environment to run `stage` in, or None when there is no room for it now."""
        need = self.room.of(stage)
        devices = [device for device in self._free_gpus if not self._machine or device in self._free.gpus]
        shared = min(need.threads, len(self._free.threads)) if self._machine else 0
        extra = min(need.threads - shared, self._extra)
        room = Room(self.jobs, self.threads, len(devices), self.memory)
        has_threads = shared + extra == need.threads or self._needs_no_more_threads()
        if not (room.holds(need) and has_threads):
            return None
        devices = devices[: need.gpus]
        held = self._machine.hold(self._free, shared, devices) if self._machine else []
        lent = self._machine.lend(shared + extra, devices) if self._machine else None
        self.jobs -= 1
        self.threads -= need.threads
        self.memory -= need.memory
        self._extra -= extra
        self._free_gpus = [device for device in self._free_gpus if device not in devices]
        self._taken[stage.address] = _Taken(need.threads, shared, extra, devices, held, need.memory, lent)
        environment = {"CUDA_VISIBLE_DEVICES": ",".join(devices)} if devices else {}
        return environment | ({VARIABLE: str(lent)} if lent else {})

    def give_back(self, stage: Stage) -> None:
        """Free the room of a stage, if it took any: a stage that is not run takes none."""
        if stage.address not in self._taken:
            return
        took = self._taken.pop(stage.address)
        self.jobs += 1
        self.threads += took.threads
        self.memory += took.memory
        self._extra += took.extra
        self._free_gpus = sorted(self._free_gpus + took.gpus)
        if self._machine:
            self._machine.give_back(took.held)
        if self._machine and took.lent:
            self._machine.take_back(took.lent)

    def _needs_no_more_threads(self) -> bool:
        """Whether the next stage has to start with the threads that are free now."""
        return bool(self._free.borrowed and self._free.threads and not self._taken)


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def this_machine(gpus: list[str]) -> Machine:
    """The processors that this process may use, by their numbers, `gpus`, and what the stage lends that started it."""
    has_affinity = hasattr(os, "sched_getaffinity")
    numbers = sorted(os.sched_getaffinity(0)) if has_affinity else range(cores())
    borrowed = LentSlots.parsed(os.environ.get(VARIABLE, ""))
    return Machine([str(number) for number in numbers], gpus, borrowed=borrowed)


def visible_gpus() -> list[str]:
    """NVIDIA devices that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    if (variable := os.environ.get("CUDA_VISIBLE_DEVICES")) is not None:
        return [device for device in variable.split(",") if device and device != "-1"]
    folder = Path("/proc/driver/nvidia/gpus")
    return [str(number) for number, _ in enumerate(folder.iterdir())] if folder.is_dir() else []
