"""What the running stages may take together: a number of stages, processor threads, GPUs."""

import os
from pathlib import Path

from flows.dvc_graph import Stage
from flows.schedule import Room


class Slots:
    """Room for `jobs` stages whose threads sum up to `threads`, and one stage on each GPU.

    A stage that asks for more threads or GPUs than there are takes them all, of GPUs none where there is none.
    """

    def __init__(self, jobs: int, threads: int, gpus: list[str] | None = None):
        self.jobs, self.threads = jobs, threads
        self.gpus = gpus if gpus is not None else visible_gpus()
        self._free_gpus = list(self.gpus)
        self.room = Room(jobs, threads, len(self._free_gpus))  # all there is
        self._taken: dict[str, tuple[int, list[str]]] = {}

    def take(self, stage: Stage) -> dict[str, str] | None:
        """The environment to run `stage` in, or None when there is no room for it now."""
        need = self.room.of(stage)
        if not Room(self.jobs, self.threads, len(self._free_gpus)).holds(need):
            return None
        self.jobs -= 1
        self.threads -= need.threads
        devices = [self._free_gpus.pop(0) for _ in range(need.gpus)]
        self._taken[stage.address] = need.threads, devices
        return {"CUDA_VISIBLE_DEVICES": ",".join(devices)} if devices else {}

    def give_back(self, stage: Stage) -> None:
        """Make room again, if the stage took any: one that is not run takes none."""
        if stage.address not in self._taken:
            return
        threads, devices = self._taken.pop(stage.address)
        self.jobs += 1
        self.threads += threads
        self._free_gpus = sorted(self._free_gpus + devices)


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def visible_gpus() -> list[str]:
    """NVIDIA devices that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    if (chosen := os.environ.get("CUDA_VISIBLE_DEVICES")) is not None:
        return [device for device in chosen.split(",") if device and device != "-1"]
    folder = Path("/proc/driver/nvidia/gpus")
    return [str(number) for number, _ in enumerate(folder.iterdir())] if folder.is_dir() else []
