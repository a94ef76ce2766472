"""Public DVC projects with stand-in commands: the flow leaves the files and locks that `dvc repro` leaves.

    python -m benchmarks.flow_checks.public_projects CHECKOUT[@REVISION] ...

Of each checkout the files that Git tracks are taken, without its results. Each command becomes one that writes the
stage's outputs from the hashes of its inputs (`stand_in.py`); the graph, the templates, the parameters and the names
stay. Data that the project imports or tracks becomes a file with its own name in it.
"""

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import yaml
from dvc.repo import Repo
from dvc.stage import PipelineStage, Stage

from flows.planning.dvc_graph import address_of

OURS = Path(__file__).resolve().parents[2]
STAND_IN = Path(__file__).with_name("stand_in.py")


def export(checkout: str, root: Path) -> None:
    """The tracked files of a checkout, or of a repository without a work tree, in a new repository of Git and DVC."""
    path, _, revision = checkout.partition("@")
    archive = subprocess.run(["git", "-C", path, "archive", revision or "HEAD"], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(root, filter="data")
    for lock in root.rglob("dvc.lock"):
        lock.unlink()
    shutil.rmtree(root / ".dvc", ignore_errors=True)
    (root / ".dvc").mkdir()
    (root / ".dvc" / "config").write_text("[core]\n    analytics = false\n    check_update = false\n")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)


def replace_commands(root: Path, table: Path) -> None:
    """Write the stand-in before each command, which stays as a comment, so that its templates and parameters count."""
    for path in root.rglob("dvc.yaml"):
        content = yaml.safe_load(path.read_text()) or {}
        for stage in (content.get("stages") or {}).values():
            body = stage.get("do", stage)
            command = body["cmd"]
            commands = command if isinstance(command, list) else [command]
            texts = [f"{sys.executable} {STAND_IN} {table} # {' '.join(text.split())}" for text in commands]
            body["cmd"] = texts if isinstance(command, list) else texts[0]
            body.pop("frozen", None)
        path.write_text(yaml.safe_dump(content, sort_keys=False))


def write_data(root: Path) -> None:
    """Files in place of tracked and imported data, and `.dvc` files without hashes and without where it came from."""
    for path in root.rglob("*.dvc"):
        if not path.is_file():
            continue
        content = yaml.safe_load(path.read_text())
        outs = [{key: value for key, value in out.items() if key in ("path", "cache")} for out in content["outs"]]
        path.write_text(yaml.safe_dump({"outs": outs}))
        if subprocess.run(["git", "check-ignore", "--quiet", str(path)], cwd=root).returncode == 0:
            path.unlink()  # DVC refuses it
        for out in outs:
            name = path.parent / content.get("wdir", ".") / out["path"]
            if name.is_dir():
                shutil.rmtree(name)
            _fill(name, root)


def _fill(path: Path, root: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{path.relative_to(root)}\n")


def tables(root: Path) -> tuple[dict[str, dict[str, list[str]]], set[str]]:
    """What each stage reads and which files it writes; and the inputs that nobody writes."""
    here = os.getcwd()
    os.chdir(root)
    try:
        with Repo(".") as repo:
            stages = list(repo.index.stages)
    finally:
        os.chdir(here)
    read = {name for stage in stages for name in _inputs(stage, root)}
    written = {_name(out.fs_path, root) for stage in stages for out in stage.outs}
    table = {}
    for stage in stages:
        if isinstance(stage, PipelineStage):
            files = [file for out in stage.outs for file in _files(_name(out.fs_path, root), read | written)]
            table[address_of(stage)] = {"deps": sorted(_inputs(stage, root)), "files": files}
    sources = {name for name in read if not any(_overlap(name, out) for out in written) and not (root / name).exists()}
    return table, sources


def _inputs(stage: Stage, root: Path) -> Iterator[str]:
    for dependency in stage.deps:
        if dependency.is_in_repo and not hasattr(dependency, "params"):
            yield _name(dependency.fs_path, root)


def _name(path: str, root: Path) -> str:
    return os.path.relpath(path, root)


def _overlap(first: str, second: str) -> bool:
    return Path(first).is_relative_to(second) or Path(second).is_relative_to(first)


def _files(out: str, names: set[str]) -> list[str]:
    """The files of an output: what other stages read below it, or two where its name has no ending, or itself."""
    below = [name for name in names if Path(name).is_relative_to(out) and name != out]
    ends = [name for name in below if not any(Path(other).is_relative_to(name) for other in below if other != name)]
    if ends:
        return sorted(ends)
    return [out] if re.search(r"\.\w+$", out) else [f"{out}/first", f"{out}/second"]


def files(root: Path) -> dict[str, object]:
    """What a run leaves, without the order of entries that depends on which stage was the first to end."""
    contents: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if not path.is_file() or name.parts[0] == ".git" or name.parts[:2] == (".dvc", "tmp"):
            continue
        contents[str(name)] = path.read_bytes()
        if path.name == "dvc.lock":
            contents[str(name)] = yaml.safe_load(path.read_text())
        if path.name == ".gitignore":
            contents[str(name)] = sorted(path.read_text().split("\n"))
    return contents


def timed(root: Path, *command: str) -> float:
    """Seconds of a command that has to end well."""
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return time.monotonic() - started


def compare(checkout: str, targets: list[str], folder: Path) -> bool:
    """Run a project with both and print how they compare."""
    # in both at the same path in turn: the path of the table is in the commands
    project, table = folder / "project", folder / "table.json"
    export(checkout, project)
    replace_commands(project, table)
    write_data(project)
    stages, sources = tables(project)
    for name in sources:
        _fill(project / name, project)
    table.write_text(json.dumps(stages))
    tracked = [str(path.relative_to(project)) for path in project.rglob("*.dvc") if path.is_file()]
    if tracked:
        timed(project, "dvc", "commit", "-f", "-q", *tracked)
    flow = folder / "flow"
    shutil.copytree(project, flow, symlinks=True)
    serial = timed(project, "dvc", "repro", *(targets or ["-P"]))
    parallel = timed(flow, "flows", "reproduce", "--no-prefect", *(targets or ["-P"]))
    ours, theirs = files(flow), files(project)
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    again = timed(flow, "dvc", "repro", *(targets or ["-P"]))
    unchanged = ours == files(flow)
    print(
        f"{checkout}: {len(stages)} stages in {len(list(project.rglob('dvc.yaml')))} dvc.yaml, {len(tracked)} .dvc; "
        f"{len(theirs)} files, {len(differing)} differ; dvc repro {serial:.1f} s, flow {parallel:.1f} s; "
        f"dvc repro after the flow {'changes nothing' if unchanged else 'CHANGES FILES'} ({again:.1f} s)",
        *differing[:10],
        sep="\n    ",
        flush=True,
    )
    return not differing and unchanged


def main() -> None:
    """Compare every project; ends with 1 where one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", metavar="CHECKOUT[@REVISION]")
    parser.add_argument("--target", action="append", default=[], help="run these stages alone; may be repeated")
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join([str(OURS), os.environ.get("PYTHONPATH", "")])
    os.environ["DVC_NO_ANALYTICS"] = "1"
    same = True
    for checkout in options.checkouts:
        with tempfile.TemporaryDirectory() as name:
            os.environ |= {"DVC_SITE_CACHE_DIR": f"{name}/dvc", "FLOW_SLOTS": f"{name}/slots"}
            same &= compare(checkout, options.target, Path(name))
    sys.exit(not same)


if __name__ == "__main__":
    main()
