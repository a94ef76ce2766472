"""The graph of all stages together, with every variant that the parameters of a profile name."""

import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
import yaml

from flows.command_line import parser
from flows.inside_dvc.parse_once import parse_once
from flows.reproduce_command import options
from repline import parameters, yaml_text
from tests.commands import ROOT


def copy(root, name):
    """Copy the files of this name, of the trunk and of all systems, into `root`."""
    for path in [ROOT / name, *ROOT.glob(f"stages/*/{name}")]:
        copied = root / path.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copied)


@pytest.fixture(scope="module")
def repository_of(tmp_path_factory):
    """Profile -> the stages alone, as a DVC repository: no lock, no code and no data."""
    from dvc.repo import Repo  # which takes seconds to import

    parse_once()

    @cache
    def repository(profile):
        root = tmp_path_factory.mktemp(profile)
        values = parameters.read(ROOT / "params.yaml")
        if profile != "small":
            path = f"profiles/{profile}.yaml"
            values = parameters.merge(values, parameters.read(ROOT / path), path)
        (root / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
        copy(root, "dvc.yaml")
        shutil.copytree(ROOT / ".dvc", root / ".dvc", ignore=shutil.ignore_patterns("cache", "tmp"))
        (root / ".dvc/config.local").write_text("[core]\nno_scm = true\n")
        return Repo(str(root))

    return repository


@pytest.mark.parametrize("profile", ["small", "real", "paper"])
def test_what_stages_read_of_the_data_is_written_by_stages(repository_of, profile):
    repository = repository_of(profile)
    root, index = Path(repository.root_dir), repository.index
    outs = {str(Path(out.fs_path).relative_to(root)) for out in index.outs}
    within = {str(folder) for out in outs for folder in Path(out).parents}
    read = {str(Path(dep.fs_path).relative_to(root)) for stage in index.stages for dep in stage.deps}
    read = {path for path in read if path.startswith("data/")}
    assert len(read) > 100
    assert not [path for path in read - within if not outs & {path, *map(str, Path(path).parents)}]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_make_repro_runs_every_stage_that_git_has_a_lock_of(repository_of):
    """Else `dvc push` has nothing for such a lock, and `dvc pull` in a clone fails."""
    from dvc.repo.reproduce import get_active_graph, plan_repro

    from flows.planning.targets import collect

    (recipe,) = [line for line in (ROOT / "Makefile").read_text().splitlines() if " -m flows reproduce" in line]
    command = parser().parse_args(shlex.split(recipe.split(" -m flows ")[1]))
    repository = repository_of("small")
    root = Path(repository.root_dir)
    targets = collect(repository, options(command).selection, root)
    stages = plan_repro(get_active_graph(repository.index.graph), targets or None)
    addresses = {f"{Path(stage.path).relative_to(root)}:{stage.name}" for stage in stages}
    files = git("ls-files", "dvc.lock", "stages/*/dvc.lock").split()
    locked = {
        f"{Path(file).with_name('dvc.yaml')}:{name}"
        for file in files
        for name in yaml_text.parse(git("show", f":{file}"))["stages"]
    }
    assert len(locked) > 300
    assert locked - addresses == set()


def test_dvc_lists_the_plots_of_a_clone_that_has_no_data(repository_of, tmp_path):
    """`dvc exp run` and `dvc exp save` list them all, those of systems too that nobody has pulled or run here."""
    from dvc.repo import Repo

    shutil.copytree(repository_of("small").root_dir, tmp_path / "clone")
    copy(tmp_path / "clone", "dvc.lock")
    plots = Repo(str(tmp_path / "clone")).index._plot_sources
    assert len(plots) > 40 and all(path.startswith("data/evaluation/") for path in plots)
