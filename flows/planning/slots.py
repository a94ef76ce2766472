"""The room that running stages share: a number of stages, processor threads, GPUs, memory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flows.planning.dvc_graph import Stage
from flows.planning.machine import Free, Machine
from flows.planning.schedule import Room


@dataclass(frozen=True)
class _Taken:
    """The room of a running stage; `extra` of its threads are not the machine's, `held` comes from `Machine.hold`."""

    threads: int
    extra: int
    gpus: list[str]
    held: list[str]
    memory: int


class Slots:
    """Room for `jobs` stages whose threads sum up to `threads`, their bytes to `memory`, and one stage on each GPU.

    A stage that asks for more threads or GPUs than there are takes them all, of GPUs none where there is none.

    With a `machine`, its threads and GPUs are shared with the other flows that run there: then `take` holds inside
    `look`. Threads beyond the machine's (the user asked for more than there are) are not shared.
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
            ours = sum(took.threads - took.extra for took in self._taken.values())
            threads = len(self._machine.threads) - len(self._free.threads) - ours
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
        room = Room(self.jobs, self.threads, len(devices), self.memory)
        if not room.holds(need) or need.threads - shared > self._extra:
            return None
        devices = devices[: need.gpus]
        held = self._machine.hold(self._free, shared, devices) if self._machine else []
        self.jobs -= 1
        self.threads -= need.threads
        self.memory -= need.memory
        self._extra -= need.threads - shared
        self._free_gpus = [device for device in self._free_gpus if device not in devices]
        self._taken[stage.address] = _Taken(need.threads, need.threads - shared, devices, held, need.memory)
        return {"CUDA_VISIBLE_DEVICES": ",".join(devices)} if devices else {}

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


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def this_machine(gpus: list[str]) -> Machine:
    """The processors of this machine that this process may use, by their numbers, and `gpus`."""
    has_affinity = hasattr(os, "sched_getaffinity")
    numbers = sorted(os.sched_getaffinity(0)) if has_affinity else range(cores())
    return Machine([str(number) for number in numbers], gpus)


def visible_gpus() -> list[str]:
    """NVIDIA devices that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    if (variable := os.environ.get("CUDA_VISIBLE_DEVICES")) is not None:
        return [device for device in variable.split(",") if device and device != "-1"]
    folder = Path("/proc/driver/nvidia/gpus")
    return [str(number) for number, _ in enumerate(folder.iterdir())] if folder.is_dir() else []
