"""Kill the flow, its fork server, a worker or a stage's command at random moments, and let a second run end the work.

    python -m benchmarks.flow_checks.kills --moments 20 --seed 7

Each moment has a fresh copy of a generated project of short stages; one at which all has ended does not count. After
a kill no process of the run may live on. After the second run all files are those that `dvc repro` leaves, byte for
byte, `dvc status` finds nothing to do, and no lock is held. Of dvc.lock the entries are compared: the flow sorts them.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil
import yaml

OURS = Path(__file__).resolve().parents[2]
WIDTH, DEPTH = 3, 4  # chains and stages of each
SECONDS = 0.15  # that a stage sleeps, at most
PATIENCE = 60.0  # seconds until what a killed flow has started must be gone


def make(root: Path, source: random.Random) -> None:
    """A project of chains that meet in one stage, each stage with two outputs, one of which Git keeps."""
    stages = {}
    for chain in range(WIDTH):
        for position in range(DEPTH):
            name, before = f"s{chain}_{position}", f"s{chain}_{position - 1}" if position else "in.txt"
            pause = f"sleep {source.uniform(0, SECONDS):.2f}"
            command = (
                f"{pause} && cat {before} > {name} && {pause} && echo {name} >> {name} && wc -c < {name} > {name}.size"
            )
            outs: list[object] = [name, {f"{name}.size": {"cache": False}}]
            stages[name] = {"cmd": command, "deps": [before], "outs": outs}
    ends = [f"s{chain}_{DEPTH - 1}" for chain in range(WIDTH)]
    stages["last"] = {"cmd": f"cat {' '.join(ends)} > last", "deps": ends, "outs": ["last"]}
    root.mkdir()
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    (root / ".dvc").mkdir()
    (root / ".dvc" / "config").write_text("[core]\n    analytics = false\n    check_update = false\n")
    (root / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}))
    (root / "in.txt").write_text("input\n")


def files(root: Path) -> dict[str, object]:
    """What a run leaves: each file outside of the folders of Git and of temporary files."""
    contents: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_file() and name.parts[0] != ".git" and name.parts[:2] != (".dvc", "tmp"):
            contents[str(name)] = path.read_bytes()
    contents["dvc.lock"] = yaml.safe_load((root / "dvc.lock").read_text())
    contents[".gitignore"] = sorted((root / ".gitignore").read_text().split())
    return contents


def run(root: Path, *command: str) -> str:
    """What a command printed that has to end well."""
    process = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}\n{process.stdout}{process.stderr}")
    return process.stdout


def processes(flow: psutil.Process) -> dict[str, list[psutil.Process]]:
    """The processes of a run that live, by what they are."""
    servers = children(flow)
    workers = [child for server in servers for child in children(server)]
    commands = [child for worker in workers for child in children(worker, recursive=True)]
    kinds = {"flow": [flow], "fork server": servers, "worker": workers, "command": commands}
    return {kind: group for kind, group in kinds.items() if group}


def children(process: psutil.Process, recursive: bool = False) -> list[psutil.Process]:
    """The processes that a process has started; none once it has ended."""
    try:
        return process.children(recursive)
    except psutil.NoSuchProcess:
        return []


def kill(root: Path, moment: float, source: random.Random) -> str | None:
    """Start the flow, kill one of its processes after `moment` seconds; what was killed, None if all had ended."""
    command = [sys.executable, "-m", "flows", "reproduce", "--jobs", "3", "--no-prefect"]
    with open(root / ".dvc" / "tmp-printed", "w") as printed:
        started = subprocess.Popen(command, cwd=root, stdout=printed, stderr=printed, start_new_session=True)
    flow = psutil.Process(started.pid)
    time.sleep(moment)
    kinds = processes(flow)
    kind: str | None = source.choice(sorted(kinds))
    family = [process for group in kinds.values() for process in group]
    if started.poll() is None:
        try:
            source.choice(kinds[kind]).kill()
        except psutil.NoSuchProcess:
            kind = None
    else:
        kind = None
    try:
        started.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        started.kill()
        raise SystemExit(f"the flow hangs after its {kind} was killed; seed and moment are above") from None
    _, alive = psutil.wait_procs(family, timeout=PATIENCE)
    alive = [process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
    if alive:
        raise SystemExit(f"alive after the {kind} was killed: {alive}")
    (root / ".dvc" / "tmp-printed").unlink()
    return kind


def main() -> None:
    """Kill at every moment and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=20, metavar="N", help="how many processes are killed")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of the moments")
    options = parser.parse_args()
    source = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"DVC_SITE_CACHE_DIR": f"{folder}/dvc", "FLOW_SLOTS": f"{folder}/slots", "DVC_NO_ANALYTICS": "1"}
        os.environ["PYTHONPATH"] = os.pathsep.join([str(OURS), os.environ.get("PYTHONPATH", "")])
        project, expected = folder / "project", folder / "expected"
        make(project, source)
        shutil.copytree(project, expected)
        run(expected, "dvc", "repro", "-q")
        started = time.monotonic()
        shutil.copytree(project, folder / "whole")
        run(folder / "whole", "flows", "reproduce", "--jobs", "3", "--no-prefect")
        whole = time.monotonic() - started
        kinds: Counter[str] = Counter()
        while kinds.total() < options.moments:
            root = folder / "killed"
            shutil.copytree(project, root)
            moment = source.uniform(0, whole)
            killed = kill(root, moment, source)
            again = run(root, "flows", "reproduce", "--jobs", "3", "--no-prefect").strip().splitlines()
            differing = [path for path, content in files(expected).items() if files(root).get(path) != content]
            surplus = sorted(files(root).keys() - files(expected).keys() - run_cache(root))
            table = root / ".dvc" / "tmp" / "rwlock"
            held = table.exists() and any(json.loads(table.read_text()).values())
            clean = "up to date" in run(root, "dvc", "status")
            message = next((line for line in again if "up to date" in line), again[-1])
            print(
                f"after {moment:5.2f} of {whole:.2f} s: killed {killed or 'nothing: all had ended'}; then {message}",
                flush=True,
            )
            if differing or surplus or held or not clean:
                raise SystemExit(f"differ: {differing}, more: {surplus}, locks held: {held}, status clean: {clean}")
            kinds.update([killed] if killed else [])
            shutil.rmtree(root)
        print(f"{options.moments} runs ended in the bytes of dvc repro; killed: {dict(kinds)}")


def run_cache(root: Path) -> set[str]:
    """Entries of the run-cache, of which a run that was killed may leave one more."""
    folder = root / ".dvc" / "cache" / "runs"
    return {str(path.relative_to(root)) for path in folder.rglob("*")}


if __name__ == "__main__":
    main()
