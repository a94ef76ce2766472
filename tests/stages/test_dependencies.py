"""Every stage names the code that it runs: DVC reruns it when, and only when, something it reads has changed."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

import stages
from repline import yaml_text
from stages import dependencies
from tests.commands import run_command

ROOT = Path(stages.__file__).parent.parent


def _python_stages():
    for file in [ROOT / "dvc.yaml", *sorted(ROOT.glob("stages/*/dvc.yaml"))]:
        for name, stage in yaml_text.parse(file.read_text(encoding="utf-8"))["stages"].items():
            stage = stage.get("do", stage)
            if stage["cmd"].startswith("python -m "):
                yield pytest.param(stage, id=f"{file.parent.name}:{name}")


def test_the_files_are_as_make_deps_writes_them():
    for path, text in dependencies.generated(ROOT).items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path}: run `make deps`"


MODULES = sorted({stage.values[0]["cmd"].split()[2] for stage in _python_stages()})


@cache
def _imports():
    return dependencies.Imports(ROOT)


@pytest.fixture(scope="module")
def loaded():
    """By stage module: what of repline and stages is loaded by importing it, as paths from the root."""
    done = run_command(ROOT, "tests.stages.loaded_files", *MODULES)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    paths = {name: Path(file).relative_to(ROOT) for name, file in printed["files"].items()}
    assert set(paths) <= {name for names in printed["loaded"].values() for name in names}  # else an import is not noted
    return {
        module: {str(paths[name]) for name in names if name in paths and paths[name].name != "__init__.py"}
        for module, names in printed["loaded"].items()
    }


@pytest.mark.parametrize("module", MODULES)
def test_what_is_read_from_the_text_is_what_python_loads(loaded, module):
    code = _imports()
    assert f"{module.replace('.', '/')}.py" in loaded[module]
    assert loaded[module] <= {str(code.files[one].relative_to(ROOT)) for one in code.closure(module)}


@pytest.mark.parametrize("stage", _python_stages())
def test_a_stage_says_what_it_needs_of_the_machine(stage):
    assert set(stage["meta"]) - {"exact"} == {"threads", "gpu", "retries"}
    assert stage["meta"]["threads"] >= 1


def test_a_change_in_a_system_reruns_that_system_alone():
    for file in sorted(ROOT.glob("stages/*/dvc.yaml")):
        text = file.read_text(encoding="utf-8")
        assert set(re.findall(r"repline/systems/(\w+)/", text)) <= {file.parent.name}
        assert file.parent.name == "wikipedia" or "corpora/wikipedia/wikitext" not in text


@pytest.fixture
def small(tmp_path):
    """A project of one stage: a.run imports b, b imports numpy; c lies beside them."""
    files = {
        "dvc.yaml": (
            "stages:\n  one:\n    cmd: python -m stages.one\n    deps:\n      - data/x\n    outs: [y]\n"
            "  report:\n    cmd: python -m stages.report\n    outs: [page]\n"
        ),
        "stages/one.py": "from repline import b\n",
        "stages/report.py": "",
        "stages/__init__.py": "def run(): ...\n",
        "repline/__init__.py": '"""Nothing."""\n',
        "repline/b.py": "def f():\n    import numpy\n",
        "repline/c.py": "import torch\n",
        "repline/made.py": "import json\n",
        "sources.yaml": "one:\n  places:\n    - made: repline.made:write\n      seed: 1\n",
        "requirements.lock": "numpy==2.0 \\\n    --hash=sha256:0\n",
        "requirements-torch.lock": "torch==2.13\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_stage_gets_what_it_imports_and_no_more(small):
    texts = dependencies.generated(small)
    stage = yaml_text.parse(texts["dvc.yaml"])["stages"]["one"]
    assert stage["deps"] == ["data/x", "repline/b.py", "stages/__init__.py", "stages/one.py"]
    assert stage["params"] == [{"versions.yaml": ["numpy"]}]
    assert yaml_text.parse(texts["versions.yaml"]) == {"numpy": 2.0}


def test_what_is_written_stays_as_it_is(small):
    for _ in range(2):
        texts = dependencies.generated(small)
        for path, text in texts.items():
            (small / path).write_text(text)
    assert dependencies.generated(small) == texts


def test_another_generator_is_another_source(small):
    before = dependencies.generated(small)["sources.yaml"]
    (small / "repline/made.py").write_text("import json  # drawn anew\n")
    after = dependencies.generated(small)["sources.yaml"]
    assert before != after
    assert yaml_text.parse(after)["one"]["places"][0].keys() == {"made", "code", "seed"}


def test_a_new_system_is_found_by_the_report(small):
    (small / "stages/x").mkdir()
    (small / "stages/x/published.yaml").write_text("system: {corpora: [c], parameters: [x]}\n")
    (small / "stages/x/dvc.yaml").write_text("stages:\n  s:\n    cmd: echo\n    outs: [z]\n")
    stage = yaml_text.parse(dependencies.generated(small)["dvc.yaml"])["stages"]["report"]
    assert {"stages/x/claims.yaml", "data/evaluation/x/metrics.json", "data/corpora/c/card.json"} <= set(stage["deps"])
    assert stage["params"][:2] == ["profile", "x"]


def test_a_stage_whose_module_is_gone_is_named(small):
    (small / "stages/one.py").unlink()
    with pytest.raises(dependencies.InputError, match=r"runs stages\.one, and there is no such module"):
        dependencies.generated(small)
