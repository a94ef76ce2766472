"""Every stage names the digest of its code, which `make deps` writes into the dvc.yaml files."""

from pathlib import Path

import pytest
import yaml

import stages
from repline import yaml_text
from stages.code import project
from stages.upkeep import dependencies

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


@pytest.mark.parametrize("stage", list(_python_stages()))
def test_a_stage_says_what_it_needs_of_the_machine(stage):
    assert set(stage["meta"]) - {"exact"} == {"threads", "gpu", "retries"}
    assert stage["meta"]["threads"] >= 1


def _files_named_by_stages():
    """The dependencies of all stages inside repline/ and stages/."""
    for stage in (parameter.values[0] for parameter in _python_stages()):
        yield from (path for path in stage.get("deps", ()) if path.startswith(("repline/", "stages/")))


def test_the_data_in_the_library_are_dependencies_of_a_stage():
    """The digest of a stage's code does not cover the templates, styles and tables that the code reads."""
    named = {ROOT / path for path in _files_named_by_stages()}
    no_data = {".py", ".md", ".typed"}
    files = {path for path in (ROOT / "repline").rglob("*.*") if path.is_file() and path.suffix not in no_data}
    files = {path for path in files if "__pycache__" not in path.parts}
    assert len(files) > 5
    assert [path for path in sorted(files) if not named & {path, *path.parents}] == []


def test_what_judges_claims_depends_on_them():
    code = project.read(ROOT)
    judging = 0
    for parameter in _python_stages():
        (stage,) = parameter.values
        command = stage["cmd"].split()[2]
        if any(str(node) == "stages.conclusion:conclude" for node in code.reach(command)):
            judging += 1
            assert f"stages/{command.split('.')[1]}/claims.yaml" in stage["deps"]
    assert judging >= len([*ROOT.glob("stages/*/claims.yaml")])


@pytest.fixture
def small(tmp_path):
    """A project of one stage: a.run imports b, b imports numpy; c lies next to them."""
    files = {
        "dvc.yaml": (
            "stages:\n  one:\n    cmd: python -m stages.one\n    deps:\n      - data/x\n    params:\n      - knob\n"
            "    outs: [y]\n"
            "  report:\n    cmd: python -m stages.report\n    outs: [page]\n"
        ),
        "stages/one.py": "from repline import b\nb.f()\n",
        "stages/report.py": "",
        "stages/__init__.py": "def run(): ...\n",
        "repline/__init__.py": '"""Nothing."""\n',
        "repline/b.py": "def f():\n    import numpy as np\n    return np.pi\n",
        "repline/c.py": "import torch\n",
        "repline/made.py": "def write(folder): ...\n",
        "sources.yaml": "one:\n  places:\n    - made: repline.made:write\n      seed: 1\n",
        "requirements.lock": "numpy==2.0 \\\n    --hash=sha256:0\n",
        "requirements-torch.lock": "torch==2.13\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_stage_names_the_digest_of_its_command(small):
    texts = dependencies.generated(small)
    stage = yaml.safe_load(texts["dvc.yaml"])["stages"]["one"]
    assert stage["deps"] == ["data/x"]
    assert stage["params"] == ["knob", {"data/code.json": ["stages.one"]}]
    assert yaml.safe_load(texts["versions.yaml"]) == {"numpy": 2.0}


def test_what_is_written_stays_as_it_is(small):
    for _ in range(2):
        texts = dependencies.generated(small)
        for path, text in texts.items():
            (small / path).write_text(text)
    assert dependencies.generated(small) == texts


def test_a_new_system_is_found_by_the_report(small):
    (small / "stages/x").mkdir()
    (small / "stages/x/published.yaml").write_text("system: {corpora: [c], parameters: [x]}\n")
    (small / "stages/x/dvc.yaml").write_text("stages:\n  s:\n    cmd: echo\n    outs: [z]\n")
    stage = yaml.safe_load(dependencies.generated(small)["dvc.yaml"])["stages"]["report"]
    assert {"stages/x/claims.yaml", "data/evaluation/x/metrics.json"} <= set(stage["deps"])
    assert stage["params"][:2] == ["profile", "x"]


def test_the_report_names_what_its_page_is_rendered_from(small):
    (small / "repline/report").mkdir()
    for name in ("page.py", "template.html", "style.css", "page.js"):
        (small / "repline/report" / name).write_text("")
    stage = yaml.safe_load(dependencies.generated(small)["dvc.yaml"])["stages"]["report"]
    names = [path.rpartition("/")[2] for path in stage["deps"] if path.startswith("repline/report/")]
    assert names == ["page.js", "style.css", "template.html"]


def test_a_stage_whose_module_is_gone_is_named(small):
    (small / "stages/one.py").unlink()
    with pytest.raises(dependencies.InputError, match=r"runs stages\.one, and there is no such module"):
        dependencies.generated(small)
