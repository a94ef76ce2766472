"""The flow on generated graphs against `dvc repro`, GNU make with the same commands, and the critical path.

    python -m benchmarks.flow_graphs --seconds 0.2 --share 0.25     # a small run of it

make, which hashes and records nothing, is the bound. Where the variable DASK4DVC names the program `dask4dvc`, in an
environment with a DVC that it works with, it runs the graphs, too.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.flow_commands import environment_of, make_repository, timed
from benchmarks.timing import keep

JOBS = 4
PEER = "DASK4DVC"  # the variable with the path of the program


@dataclass(frozen=True)
class Graph:
    """A graph of stages that sleep: the stages that each one waits for, by name; and the seconds of each."""

    name: str
    above: dict[str, list[str]]
    seconds: float

    def critical_path(self, jobs: int) -> float:
        """The least seconds that the graph takes, on so many cores."""
        ends: dict[str, float] = {}
        for stage, above in self.above.items():  # each after those it waits for
            ends[stage] = self.seconds + max((ends[name] for name in above), default=0.0)
        return max(*ends.values(), len(self.above) * self.seconds / jobs)

    def command(self, stage: str) -> str:
        """The command of a stage."""
        pause = f"sleep {self.seconds:g} && " if self.seconds else ""
        return f"{pause}echo {stage} > out/{stage}"


def graphs(seconds: float, share: float) -> list[Graph]:
    """A chain, a diamond, a wide graph, four chains, and many stages that do nothing.

    Args:
        seconds: how long each stage of the first four takes.
        share: of the full size of each.
    """

    def size(full: int) -> range:
        return range(max(round(full * share), 2))

    middle = [f"m{number:03}" for number in size(16)]
    diamond = {"first": [], **{name: ["first"] for name in middle}, "last": middle}
    four = {name: above for row in range(4) for name, above in chain(f"c{row}", size(15)).items()}
    timed = {"chain": chain("s", size(12)), "diamond": diamond, "wide": {f"s{number:03}": [] for number in size(32)}}
    nothing: dict[str, list[str]] = {f"s{number:04}": [] for number in size(1000)}
    sleeping = [Graph(name, above, seconds) for name, above in (timed | {"four chains": four}).items()]
    return [*sleeping, Graph("stages that do nothing", nothing, 0.0)]


def chain(name: str, numbers: range) -> dict[str, list[str]]:
    """Stages each of which waits for the one before it."""
    return {f"{name}_{number:03}": [f"{name}_{number - 1:03}"] if number else [] for number in numbers}


def make(graph: Graph, root: Path) -> None:
    """A repository with the graph as dvc.yaml, and as a Makefile."""
    stages, rules = {}, [f"all: {' '.join(f'out/{stage}' for stage in graph.above)}"]
    for stage, above in graph.above.items():
        inputs = [f"out/{name}" for name in above] or ["in.txt"]
        stages[stage] = {"cmd": graph.command(stage), "deps": inputs, "outs": [f"out/{stage}"]}
        rules.append(f"out/{stage}: {' '.join(inputs)}\n\t{graph.command(stage)}")
    make_repository(root, stages)
    (root / "Makefile").write_text("\n".join(rules) + "\n")
    (root / "out").mkdir()


def main(seconds: float = 1.0, share: float = 1.0) -> None:
    """Time every graph with every program, each from an empty cache, and once more with nothing to do."""
    for graph in graphs(seconds, share):
        with tempfile.TemporaryDirectory() as folder:
            project, environment = Path(folder) / "project", environment_of(Path(folder))
            make(graph, project)
            for name in ("make", "flow", "dvc", "peer"):
                shutil.copytree(project, Path(folder) / name)
            jobs = ["--jobs", str(JOBS)]
            bound = _timed_program(["make", "--silent", *jobs], Path(folder) / "make", environment)
            flow = timed(["flows", "reproduce", "--no-prefect", *jobs], Path(folder) / "flow", environment)
            serial = timed(["dvc", "repro", "-q"], Path(folder) / "dvc", environment)
            again = timed(["flows", "reproduce", "--no-prefect"], Path(folder) / "flow", environment)
            status = timed(["dvc", "status"], Path(folder) / "flow", environment)
            peer = _of_peer(Path(folder) / "peer", environment)
            title = f"{len(graph.above)} stages, {graph.name}"
            print(
                f"{title}: critical path {graph.critical_path(JOBS):.1f} s, make {bound:.1f} s, flow {flow:.1f} s",
                end="",
            )
            print(f", dvc repro {serial:.1f} s{peer}", end="")
            print(f"; nothing to do: flow {again:.1f} s, dvc status {status:.1f} s", flush=True)
            keep(f"{title}, {JOBS} at once, against dvc repro", serial / flow)
            keep(f"{title}, {JOBS} at once, flow / make (less is better)", flow / bound)
            if least := graph.critical_path(JOBS):
                keep(f"{title}, {JOBS} at once, flow / critical path (less is better)", flow / least)
            keep(f"{title}, nothing to do / dvc status (less is better)", again / status)


def _of_peer(root: Path, environment: dict[str, str]) -> str:
    """What dask4dvc takes, as a part of a line."""
    program = os.environ.get(PEER)
    if not program:
        return ""
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, "commit", "--quiet", "--message", "Add the graph"], cwd=root, check=True)
    path = os.pathsep.join([str(Path(program).parent), environment["PATH"]])
    command = [program, "repro", "--no-leave", "--max-workers", str(JOBS)]
    try:
        return f", dask4dvc {_timed_program(command, root, environment | {'PATH': path, 'PYTHONPATH': ''}):.1f} s"
    except subprocess.CalledProcessError as error:
        return f", dask4dvc fails ({error.stderr.decode().strip().splitlines()[-1]})"


def _timed_program(command: list[str], root: Path, environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="that a stage takes")
    parser.add_argument("--share", type=float, default=1.0, help="of the full sizes")
    options = parser.parse_args()
    main(options.seconds, options.share)
