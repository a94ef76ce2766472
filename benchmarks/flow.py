"""The flow against its critical path and `dvc repro`, and against `dvc status` when there is nothing to do.

The runs that do something have 60 stages of one second in 4 chains, or stages that import what a training imports. The
runs with nothing to do also have 400 stages of 40 systems, with and without a Prefect server.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import yaml

from benchmarks.flow_commands import CHECKOUT, environment_of, make_repository, timed
from benchmarks.timing import keep
from flows.planning import dvc_graph
from flows.servers import prefect_server

CHAINS, LENGTH, SECONDS, JOBS = 4, 15, 1.0, 4
SYSTEMS, STAGES = 40, 10  # of the repository with nothing to do, and stages of each
MODULES = 24  # stages that import Lightning
REPEATS = 5  # of the runs with nothing to do; the fastest counts


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        environment = environment_of(Path(folder))
        _make(root)
        start = time.perf_counter()
        dvc_graph.read(root)
        plan = time.perf_counter() - start
        critical = LENGTH * SECONDS
        print(f"critical path {critical:.1f} s, reading the graph {plan:.2f} s, {os.cpu_count()} cores")

        with prefect_server.own() as server:
            server.wait()
            url = {"PREFECT_API_URL": server.url}
            whole = timed(["flows", "reproduce", "--jobs", str(JOBS)], root, environment | url)
            flow = _flow_run_seconds(server.url)
        _report("flow", flow, critical + plan)
        _report("flow, whole command", whole, critical + plan)

        status = min(timed(["dvc", "status"], root, environment) for _ in range(REPEATS))
        nothing = min(timed(["flows", "reproduce"], root, environment) for _ in range(REPEATS))
        keep("seconds with nothing to do / seconds of dvc status (less is better)", nothing / status, 1.3)
        print(f"nothing to do: {nothing:.2f} s, {nothing / status:.2f} x dvc status ({status:.2f} s)")

        serial = timed(["dvc", "repro", "--force"], root, environment)
        _report("dvc repro", serial, critical + plan)
        keep(f"{CHAINS * LENGTH} sleeping stages, {JOBS} at once, against dvc repro", serial / whole)
        print(f"the flow takes {whole / serial:.2f} of the time of dvc repro")

    modules()
    many()
    first_stages()


def first_stages() -> None:
    """Seconds from the command to the command of the first stage, without a server and with the flow's own."""
    for size, option, goal in ((10, "--no-prefect", 3), (300, "--no-prefect", 6), (10, "--prefect", 12)):
        with tempfile.TemporaryDirectory() as folder:
            root, environment = Path(folder) / "repository", environment_of(Path(folder))
            make_repository(
                root,
                {f"s{number}": {"cmd": f"date +%s.%N > {number}", "outs": [f"{number}"]} for number in range(size)},
            )
            began = time.time()
            timed(["flows", "reproduce", option], root, environment)
            first = min(float((root / str(number)).read_text()) for number in range(size)) - began
        keep(f"{size} stages, {option}, seconds until the first one runs (less is better)", first, goal)
        print(f"{size} stages, {option}: the first one runs after {first:.2f} s")


def modules() -> None:
    """Independent stages that import what a training imports, and do nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        root, environment = Path(folder) / "repository", environment_of(Path(folder))
        stages = {
            f"s{number}": {"cmd": f"python -m stages.train {number}", "outs": [f"{number}"]}
            for number in range(MODULES)
        }
        make_repository(root, stages)
        fork = "[tool.dvc-parallel.fork]\npackage = 'stages'\nlibraries = ['pytorch_lightning']\n"
        (root / "pyproject.toml").write_text(fork)
        (root / "stages").mkdir()
        shutil.copy(CHECKOUT / "stages" / "__init__.py", root / "stages")
        imports = "import sys\nfrom pathlib import Path\n\nimport pytorch_lightning\n\n"
        (root / "stages" / "train.py").write_text(f"{imports}Path(sys.argv[1]).write_text(sys.argv[1])\n")
        serial = timed(["dvc", "repro"], root, environment)
        (root / "dvc.lock").unlink()
        flow = timed(["flows", "reproduce", "--force"], root, environment)
    keep(f"{MODULES} stages that import PyTorch and Lightning, against dvc repro", serial / flow)
    print(
        f"{MODULES} stages that import Lightning: flow {flow:.1f} s, dvc repro {serial:.1f} s ({serial / flow:.1f} x)"
    )


def many() -> None:
    """400 stages that are all up to date."""
    with tempfile.TemporaryDirectory() as folder:
        root, environment = Path(folder) / "repository", environment_of(Path(folder))
        _make_systems(root)
        subprocess.run([sys.executable, "-m", "dvc", "commit", "-fq"], cwd=root, env=environment, check=True)
        status = min(timed(["dvc", "status"], root, environment) for _ in range(REPEATS))
        alone = min(timed(["flows", "reproduce"], root, environment) for _ in range(REPEATS))
        with prefect_server.own() as server:
            server.wait()
            environment_of_client = environment | {"PREFECT_API_URL": server.url}
            served = min(timed(["flows", "reproduce"], root, environment_of_client) for _ in range(REPEATS))
    for name, seconds in (("without a server", alone), ("with one", served)):
        keep(f"{SYSTEMS * STAGES} stages and nothing to do, {name} / dvc status (less is better)", seconds / status)
        print(f"{SYSTEMS * STAGES} stages, nothing to do, {name}: {seconds:.2f} s, {seconds / status:.2f} x dvc status")


def _make_systems(root: Path) -> None:
    """A dvc.yaml for each system, whose stages depend on each other in a chain, as if all had run."""
    make_repository(
        root, {"last": {"cmd": "true", "deps": [f"out/{system}_{STAGES - 1}" for system in range(SYSTEMS)]}}
    )
    (root / "out").mkdir()
    for system in range(SYSTEMS):
        stages = {}
        for position in range(STAGES):
            out = f"out/{system}_{position}"
            before = f"out/{system}_{position - 1}" if position else "in.txt"
            stages[f"s{position}"] = {"cmd": f"echo > {out}", "wdir": "../..", "deps": [before], "outs": [out]}
            (root / out).write_text(f"{out}\n")
        path = root / "stages" / f"system_{system:02}" / "dvc.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(yaml.safe_dump({"stages": stages}))


def _make(root: Path) -> None:
    """Every stage sleeps and writes a file that the next of its chain depends on."""
    stages = {}
    for chain in range(CHAINS):
        for position in range(LENGTH):
            before = f"out/{chain}_{position - 1}" if position else "in.txt"
            out = f"out/{chain}_{position}"
            command = f"mkdir -p out && sleep {SECONDS} && echo {chain} {position} > {out}"
            stages[f"s{chain}_{position:02}"] = {"cmd": command, "deps": [before], "outs": [out]}
    make_repository(root, stages)


def _flow_run_seconds(url: str) -> float:
    """Run time of the only flow run, once the server has recorded all of it."""
    while _ask(url, "task_runs/count", {"task_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}}) < CHAINS * LENGTH:
        time.sleep(0.1)
    return _ask(url, "flow_runs/filter", {})[0]["total_run_time"]


def _ask(url: str, path: str, body: dict):
    request = urllib.request.Request(f"{url}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)


def _report(name: str, seconds: float, least: float) -> None:
    if name == "flow":
        keep("seconds of the flow / (critical path + plan) (less is better)", seconds / least)
    print(f"{name}: {seconds:.1f} s, {seconds / least:.2f} x (critical path + plan)")


if __name__ == "__main__":
    main()
