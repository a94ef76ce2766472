"""Small repositories for the benchmarks of the flow, and timed commands in them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import yaml

CHECKOUT = Path(__file__).resolve().parent.parent


def make_repository(root: Path, stages: dict) -> None:
    """A Git and DVC repository in the new folder `root`: one dvc.yaml with these stages, and a file in.txt."""
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".dvc").mkdir()
    (root / ".dvc" / "config").write_text("[core]\n    analytics = false\n    check_update = false\n")
    (root / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}))
    (root / "in.txt").write_text("input\n")


def environment_of(folder: Path) -> dict[str, str]:
    """The environment of the timed processes; the Prefect server of this process has the same home."""
    os.environ["PREFECT_HOME"] = str(folder / "prefect")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(CHECKOUT), os.environ.get("PYTHONPATH", "")])}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    environment |= {"DVC_SITE_CACHE_DIR": str(folder / "dvc"), "FLOW_SLOTS": str(folder / "slots")}
    environment.pop("PREFECT_API_URL", None)
    return environment


def timed(arguments: list[str], root: Path, environment: dict[str, str]) -> float:
    """The seconds that `python -m ARGUMENTS` takes in a repository."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", *arguments], cwd=root, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start
