"""The wheel, in an environment that has nothing but what the library asks for, in a folder that is no checkout."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

from repline import yaml_text
from repline.extras import EXTRAS
from repline.vectors import store
from repline.version import VERSION
from tests.commands import ROOT

BUILT = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "params.yaml", "sources.yaml")
READ = ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md")  # by people, in the source distribution alone


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy of the files that the library is built of."""
    source = tmp_path_factory.mktemp("source")
    for name in (*BUILT, *READ):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "repline", source / "repline", ignore=shutil.ignore_patterns("__pycache__"))
    return source


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "--no-build-isolation", "--no-deps", "-w", out, source)
    (built,) = out.glob("repline-*.whl")
    return built


def test_the_source_distribution_has_what_the_wheel_is_built_of(source):
    code = "import setuptools.build_meta as backend; print(backend.build_sdist('dist'))"
    process = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    with tarfile.open(source / "dist" / process.stdout.splitlines()[-1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {*BUILT, *READ, "repline/py.typed", "repline/report/template.html", "repline/cli/app.py"} <= names


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The Python of an environment with the wheel, and links to the packages that it asks for."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin/python"
    pip(sys.executable, "--python", python, "install", "--no-deps", "--no-index", wheel)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip())
    for needed in distributions():
        for path in {Path(str(file)).parts[0] for file in needed.files or () if ".." not in Path(str(file)).parts}:
            if not (site / path).exists():
                (site / path).symlink_to(Path(sysconfig.get_path("purelib")) / path)
    return python


def pip(python, *arguments):
    command = [python, "-m", "pip", *map(str, arguments), "--quiet", "--disable-pip-version-check"]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr


def direct() -> list[Requirement]:
    """What the library needs without extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(text) for text in project["dependencies"]]


def distributions() -> list[Distribution]:
    """What the library needs without extras, and what that needs."""
    names, waiting = set[str](), direct()
    while waiting:
        needed = waiting.pop()
        name = needed.name.lower().replace("_", "-")
        if name not in names and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
            names.add(name)
            waiting += map(Requirement, distribution(name).requires or ())
    return [distribution(name) for name in sorted(names)]


def run(python, *arguments, cwd, input=""):
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run([python, *arguments], cwd=cwd, env=environment, input=input, capture_output=True, text=True)


def test_the_version_is_that_of_the_citation():
    citation = yaml_text.parse((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == VERSION
    assert f"## {VERSION}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_few_direct_dependencies():
    assert len(direct()) < 15


def test_the_command_answers(python, tmp_path):
    store.save(tmp_path / "vectors", ["one", "two"], np.array([[1, 0], [0, 1]], np.float32))
    process = run(python.parent / "repline", "predict", "vectors", cwd=tmp_path, input="one\nthree\n")
    assert process.returncode == 0, process.stderr
    assert [json.loads(line)["known"] for line in process.stdout.splitlines()] == [True, False]
    assert run(python.parent / "repline", "--version", cwd=tmp_path).stdout == f"{VERSION}\n"
    listed = run(python.parent / "repline", "systems", cwd=tmp_path)
    assert listed.returncode == 0 and "transea" in listed.stdout


def test_every_model_can_be_loaded_with_these_packages(python, tmp_path):
    code = (
        "import importlib, repline.use.loading as loading; from pathlib import Path\n"
        "assert 'checkout' not in str(loading.SYSTEMS) and 'site-packages' in str(loading.SYSTEMS), loading.SYSTEMS\n"
        "for system in loading.usable_systems():\n"
        "    importlib.import_module(f'repline.systems.{system}.use')\n"
    )
    process = run(python, "-c", code, cwd=tmp_path)
    assert process.returncode == 0, process.stderr


def test_a_missing_extra_is_named(python, tmp_path):
    process = run(python, "-c", "import repline.vectors.tokens", cwd=tmp_path)
    assert process.stderr.endswith("duckdb is not installed: `pip install 'repline[corpora]'` brings it\n")
    (tmp_path / "other.py").write_text("import importlib.util, repline\nprint(importlib.util.find_spec('duckdb'))\n")
    assert run(python, "other.py", cwd=tmp_path).stdout == "None\n"
    process = run(python.parent / "repline", "extract", "dump.xml", "--out", "articles", cwd=tmp_path)
    assert process.returncode == 1 and len(process.stderr.splitlines()) == 1


def test_extras_are_those_of_the_project():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(EXTRAS.values()) <= set(extras)


def test_files_of_the_project_are_installed(python, tmp_path):
    code = "from repline.project_files import project_file as f; print(f('params.yaml'), f('sources.yaml'))"
    process = run(python, "-c", code, cwd=tmp_path)
    assert process.returncode == 0 and process.stdout.count("share/repline") == 2, process.stderr


@pytest.mark.parametrize("option", ["--target", "--prefix"])  # --user is a prefix of its own
def test_files_of_the_project_are_found_where_pip_puts_them(wheel, python, tmp_path, option):
    # without --ignore-installed pip removes the project from the environment of the tests
    pip(sys.executable, "install", "--ignore-installed", "--no-deps", "--no-index", option, tmp_path / "there", wheel)
    assert distribution("repline").version == VERSION
    (package,) = tmp_path.glob("there/**/repline/version.py")
    code = (
        f"import sys; sys.path.insert(0, {str(package.parents[1])!r})\n"
        "from repline.project_files import project_file as f; print(f('params.yaml'), f('sources.yaml'))"
    )
    process = run(python, "-c", code, cwd=tmp_path)
    folder = tmp_path / "there/share/repline"
    assert process.stdout == f"{folder / 'params.yaml'} {folder / 'sources.yaml'}\n", process.stderr


def test_metadata(python, tmp_path):
    code = (
        "from importlib.metadata import metadata, files; import repline\n"
        "m = metadata('repline'); print(m['Version'] == repline.__version__)\n"
        "print(m['License-Expression'], m['License-File'])\n"
        "print(any(str(f).endswith('repline/py.typed') for f in files('repline')))"
    )
    assert run(python, "-c", code, cwd=tmp_path).stdout == "True\nApache-2.0 LICENSE\nTrue\n"
