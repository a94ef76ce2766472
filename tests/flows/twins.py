"""Two copies of a project, one for the flow and one for `dvc repro`, which must leave the same files."""

import json
import re
import shlex
from pathlib import Path

import yaml

from tests.flows.conftest import Repository

LEFT_ALONE = re.compile(r"(^|/)(\.git|\.dvc/tmp|times)(/|$)")


def copies(name: str, source: str, **keys) -> dict:
    """A stage that copies a file and leaves a mark that it ran."""
    return {"cmd": f"cp {shlex.quote(source)} {name} && echo {name} >> times", "deps": [source], "outs": [name], **keys}


def tree(root: Path) -> dict[str, str]:
    """The content of each file of a project, except what a run leaves next to the outputs."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    names = {str(path.relative_to(root)): path for path in files}
    return {name: _content(path) for name, path in names.items() if not LEFT_ALONE.search(name)}


def _content(path: Path) -> str:
    """The content of a file; without an order where it depends on which stage was the first to end."""
    if path.name == "dvc.lock":
        return json.dumps(yaml.safe_load(path.read_text()), sort_keys=True)
    return path.read_bytes().hex()


class Twins:
    """Two copies of a project, one for the flow and one for `dvc repro`."""

    def __init__(self, folder: Path, environment: dict[str, str]):
        self.flow = Repository(folder / "flow", environment)
        (self.flow.root / "pyproject.toml").unlink()
        self.flow.write(".dvcignore", "")
        self.flow.write(".gitignore", "/times\n")
        self._folder, self._environment = folder, environment

    def split(self) -> None:
        """Copy what there is for `dvc repro`."""
        self.dvc = self.flow.copy(self._folder / "dvc", self._environment)

    def both(self, *arguments: str) -> None:
        """Run a command of DVC in both."""
        for repository in (self.flow, self.dvc):
            repository.dvc(*arguments)

    def stages(self, stages: dict, file: str = "dvc.yaml", **more) -> None:
        """Write a dvc.yaml of both."""
        for repository in (self.flow, self.dvc):
            repository.stages(stages, file, **more)

    def same(self, *arguments: str, below: str = "", failed: bool = False) -> str:
        """Reproduce both, and compare all files and exit codes; what the flow printed."""
        flow, dvc = self.flow, self.dvc
        roots = flow.root, dvc.root
        flow.root, dvc.root = flow.root / below, dvc.root / below
        try:
            printed = flow.flow(*arguments, code=int(failed))
            dvc.dvc("repro", *arguments, failed=failed)
        finally:
            flow.root, dvc.root = roots
        trees = [tree(flow.root), tree(dvc.root)]
        if failed:  # `dvc repro` then takes out of each .gitignore what it put there, also for stages that ended well
            trees = [{name: text for name, text in files.items() if ".gitignore" not in name} for files in trees]
        assert trees[0] == trees[1]
        self.ran = flow.read("times").split()
        assert sorted(self.ran) == sorted(dvc.read("times").split())
        for repository in (flow, dvc):
            repository.write("times", "")
        return printed

    def write(self, name: str, text: str) -> None:
        """Write a file of both."""
        for repository in (self.flow, self.dvc):
            repository.write(name, text)


def two_chains(folder: Path, environment: dict[str, str]) -> Twins:
    """Two chains, a to c and x to y, in two dvc.yaml."""
    projects = Twins(folder, environment)
    projects.flow.stages({"a": copies("a", "in.txt"), "b": copies("b", "a"), "c": copies("c", "b")})
    other = {"x": copies("x", "in.txt", wdir=".."), "y": copies("y", "x", wdir="..")}
    projects.flow.stages(other, "other/dvc.yaml")
    projects.flow.write("times", "")
    projects.split()
    return projects
