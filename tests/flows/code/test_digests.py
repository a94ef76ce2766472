"""Real DVC projects whose stages depend on digests of their code: what an edit makes plain `dvc repro` run."""

import json
import textwrap

import pytest
import yaml

from flows.code.stage_code import distinct
from tests.flows.conftest import Repository

RAN = "open('times', 'a').write"
PIPELINE = """\
# What the stages of the test do.
stages:
  # the first
  prepare:
    cmd: python prepare.py in.txt clean.txt   # with both names
    deps: [in.txt, prepare.py]
    outs: [clean.txt]

  train:
    foreach: [small, large]
    do:
      cmd: PYTHONPATH=src python3 -m pkg.train ${item}
      deps:
        - clean.txt
        - src/pkg/train.py   # and what it imports
      params: [rate]
      outs:
        - model-${item}.txt

  score:
    cmd:
      - mkdir -p scores
      - cd scores && python ../score.py > score.txt
    deps: [model-small.txt, model-large.txt, score.py]
    outs: [scores/score.txt]
"""
FILES = {
    "dvc.yaml": PIPELINE,
    "params.yaml": "rate: 1\n",
    "prepare.py": f"""
        import sys
        from pathlib import Path
        from cleaning.text import clean

        {RAN}("prepare\\n")
        Path(sys.argv[2]).write_text(clean(Path(sys.argv[1]).read_text()))
        """,
    "cleaning/text.py": """
        from cleaning.words import *

        def clean(text):
            return lower(text)
        """,
    "cleaning/words.py": """
        def lower(text):
            return text.lower()

        def upper(text):
            return text.upper()
        """,
    "src/pkg/__init__.py": "",
    "src/pkg/train.py": f"""
        import sys
        from pathlib import Path
        from . import network

        {RAN}(f"train {{sys.argv[1]}}\\n")
        model = network.Network(sys.argv[1])
        Path(f"model-{{sys.argv[1]}}.txt").write_text(model.text())
        """,
    "src/pkg/network.py": '''
        from cleaning.words import upper

        SIZES = {"small": 1, "large": 2}

        class Network:
            """Some network."""

            def __init__(self, name):
                self.size = SIZES[name]

            def text(self):
                return upper("x") * self.size
        ''',
    "score.py": """
        open("../times", "a").write("score\\n")
        print(sum(len(open(f"../model-{name}.txt").read()) for name in ("small", "large")))
        """,
}


class Project(Repository):
    """A repository of these files."""

    def __init__(self, root, environment):
        super().__init__(root, environment)
        for name, text in FILES.items():
            self.write(name, textwrap.dedent(text).lstrip() if name.endswith(".py") else text)

    def replace(self, name: str, before: str, after: str) -> None:
        text = self.read(name)
        assert before in text
        self.write(name, text.replace(before, after))

    def ran(self) -> list[str]:
        """The stages that `dvc repro` runs now, without the one that digests."""
        self.write("times", "")
        self.dvc("repro")
        return sorted(self.read("times").splitlines())

    def add(self) -> str:
        return self.flow("--add", command="digests")

    def explain(self, stage: str) -> list[str]:
        return self.flow(stage, command="explain").splitlines()


@pytest.fixture
def project(tmp_path, environment):
    return Project(tmp_path / "project", environment)


def test_plain_dvc_repro_runs_what_an_edit_reaches(project):
    said = project.add().splitlines()
    assert said[:3] == [
        "dvc.yaml: 3 stages with digests of code under params",
        "  and without its files under deps, so that a comment reruns nothing: prepare.py, score.py, src/pkg/train.py",
        "dvc.yaml: the stage 'code', which writes code.json",
    ]
    edited = project.read("dvc.yaml")
    for line in PIPELINE.splitlines():
        assert line in edited.splitlines() or "prepare.py]" in line or ".py" in line or "params" in line, line
    assert "nothing to add" in project.add()
    assert project.read("dvc.yaml") == edited

    everything = ["prepare", "score", "train large", "train small"]
    assert project.ran() == everything
    assert project.ran() == []
    project.replace("src/pkg/network.py", '"""Some network."""', '"""A network."""  # new')
    project.replace("prepare.py", "import sys", "import sys  # new\n")
    project.replace("cleaning/words.py", "def lower", "# more\n\n\ndef more(x):\n    return x\n\n\ndef lower")
    assert project.ran() == []
    project.replace("cleaning/words.py", "text.upper()", "text.upper() + ''")
    assert project.explain("train@small") == [
        "train@small will run:",
        "  cleaning.words:upper changed, by pkg.train:model -> pkg.network:Network",
    ]
    assert project.ran() == ["train large", "train small"]
    project.replace("cleaning/words.py", "text.lower()", "text.lower().strip()")
    assert project.explain("prepare")[1:] == [
        "  cleaning.words:lower changed, by prepare:statement 2 -> cleaning.text:clean"
    ]
    assert project.explain("score")[1].startswith("  if what it reads changes, by prepare -> train@")
    assert project.ran() == ["prepare", "train large", "train small"]  # what train writes stays the same
    project.replace("src/pkg/network.py", '"small": 1', '"small": 3')
    assert project.ran() == ["score", "train large", "train small"]
    assert project.explain("score") == ["score is up to date"]


def test_the_flow_runs_the_same(project):
    project.add()
    assert "4 ran, 1 unchanged" in project.flow()
    assert "Nothing to do" in project.flow()
    project.replace("score.py", "open(", "# a comment\nopen(")
    assert "Nothing to do" in project.flow()
    project.replace("cleaning/words.py", "text.upper()", "text.upper() + 'y'")
    project.write("times", "")
    project.flow()
    assert sorted(project.read("times").splitlines()) == ["score", "train large", "train small"]
    assert project.ran() == []


def test_results_that_are_up_to_date_are_not_computed_again(project):
    assert len(project.ran()) == 4
    project.add()
    project.dvc("repro", "code")
    project.dvc("commit", "-f")
    assert project.ran() == []
    project.replace("score.py", "sum(", "0 + sum(")
    assert project.ran() == ["score"]


def test_a_new_stage_is_noticed(project):
    project.add()
    project.dvc("repro", "code")
    project.write("more.py", "open('more.txt', 'w').write('x')\n")
    project.replace("dvc.yaml", "  score:\n", "  more:\n    cmd: python more.py\n    outs: [more.txt]\n  score:\n")
    sentence = "more runs more and does not depend on the digest of it: `python -m flows digests --add` adds that"
    assert sentence in project.dvc("repro")
    project.add()
    assert sentence not in project.dvc("repro")
    project.replace("more.py", "'x'", "'y'")
    project.dvc("repro")
    assert project.read("more.txt") == "y"


def test_a_package_that_is_installed_as_a_folder_of_the_project_is_followed(project, tmp_path):
    """Two ways in which installers point to the folder, and a folder elsewhere, of which nothing counts."""
    site = tmp_path / "site"
    for name, folder, text in (
        ("plain", project.root / "libs/plain", None),
        ("mapped", project.root / "libs/a package", "MAPPING: dict[str, str] = {'mapped': '%s/mapped'}\n"),
        ("elsewhere", tmp_path / "elsewhere", None),
        ("renamed", project.root / "libs/renamed", "MAPPING = {'renamed': '%s/lib'}\n"),
    ):
        record = site / f"{name}-1.0.dist-info"
        record.mkdir(parents=True)
        pointer = site / (f"__editable___{name}_1_0_finder.py" if text else f"_{name}.pth")
        modules = folder if text else folder / "src"
        pointer.write_text(text % modules if text else f"{modules}\n")
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (record / "RECORD").write_text(f"{pointer.name},,\n{record.name}/METADATA,,\n")
        (record / "direct_url.json").write_text(json.dumps({"url": folder.as_uri(), "dir_info": {"editable": True}}))
        (modules / ("lib" if name == "renamed" else name)).mkdir(parents=True)
        (modules / ("lib" if name == "renamed" else name) / "core.py").write_text("def f():\n    return 1\n")
    project.environment["PYTHONPATH"] = f"{site}:{project.environment['PYTHONPATH']}"
    names = ("plain", "mapped", "elsewhere", "renamed")
    imports = "".join(f"from {name}.core import f as {name}\n" for name in names)
    project.write("prepare.py", f"{imports}print({', '.join(f'{name}()' for name in names)})\n")
    said = project.add()
    assert "nothing counts of elsewhere, which is installed as the folder ../elsewhere, outside of the project" in said
    assert (
        "nothing counts of renamed, which is installed as the folder libs/renamed: `packages` of [tool.dvc-parallel]"
        in said
    )
    assert "not installed here" not in said
    project.flow(command="digests")
    for name in ("libs/plain/src/plain/core.py", "libs/a package/mapped/core.py"):
        before = project.read("code.json")
        project.replace(name, "return 1", "return 2")
        project.flow(command="digests")
        assert project.read("code.json") != before, name


def test_a_relative_import_of_a_script_is_no_library(project):
    text = "try:\n    from . import score\nexcept ImportError:\n    import strangelib\n"
    project.write("prepare.py", text)
    assert "no version counts of strangelib: no lock file has it, and it is not installed here" in project.add()


def test_an_upgrade_of_a_library_reruns_what_uses_it(project, tmp_path):
    def install(version: str) -> None:
        for path in site.glob("upper_lib*"):
            path.rename(tmp_path / path.name)
        folder = site / f"upper_lib-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: upper-lib\nVersion: {version}\n")
        (folder / "top_level.txt").write_text("upperlib\n")
        (site / "upperlib.py").write_text("def upper(text):\n    return text.upper()\n")

    site = tmp_path / "site"
    install("1.0")
    project.environment["PYTHONPATH"] = f"{site}:{project.environment['PYTHONPATH']}"
    project.write("src/pkg/network.py", project.read("src/pkg/network.py").replace("cleaning.words", "upperlib"))
    project.replace("dvc.yaml", "PYTHONPATH=src", "PYTHONPATH=src:$PYTHONPATH")
    project.add()
    assert len(project.ran()) == 4
    install("2.0")
    assert project.explain("train@small") == [
        "train@small will run:",
        "  library upperlib changed from upper-lib 1.0 to upper-lib 2.0, by pkg.train:model -> pkg.network:Network",
    ]
    assert project.ran() == ["train large", "train small"]
    project.write("requirements.txt", "upper_lib==2.0  # the lock of the project counts\n")
    assert project.ran() == []
    project.write("requirements.txt", "upper_lib==3.0\n")
    assert project.ran() == ["train large", "train small"]


def test_files_in_folders_items_that_run_different_scripts_and_programs(project):
    inner = {
        "each": {
            "matrix": {"name": ["a", "b"], "size": [1, 2]},
            "cmd": "python steps/${item.name}.py ${item.size}",
            "deps": ["steps/${item.name}.py"],
            "outs": ["${item.name}-${item.size}.txt"],
        },
        "tool": {"wdir": "..", "cmd": "./tool inner/tool.txt", "deps": ["steps_of_tools"], "outs": ["inner/tool.txt"]},
    }
    project.stages(inner, "inner/dvc.yaml")
    step = f"import sys\nfrom libs import writing\n\n{RAN.replace('times', '../times')}('NAME\\n')\n"
    step += "writing.write_NAME(f'NAME-{sys.argv[1]}.txt')\n"
    for name in "ab":
        project.write(f"inner/steps/{name}.py", step.replace("NAME", name))
    writing = "def write_NAME(name):\n    open(name, 'w').write('NAME')\n"
    project.write("shared/libs/writing.py", writing.replace("NAME", "a") + writing.replace("NAME", "b"))
    project.write("steps_of_tools/program.py", "import sys\n\ndef main():\n    open(sys.argv[1], 'w').write('x')\n")
    project.write("tool", "#!/bin/sh\necho tool >> times\npython -m run_tool $1\n")
    project.write("run_tool.py", "from steps_of_tools import program\n\nprogram.main()\n")
    (project.root / "tool").chmod(0o755)
    project.write(
        "pyproject.toml",
        '[tool.dvc-parallel]\npackages = ["shared"]\ndigests = "digests/all.json"\n'
        '[tool.dvc-parallel.programs]\ntool = "steps_of_tools.program:main"\n',
    )
    project.environment["PYTHONPATH"] += f":{project.root / 'shared'}"
    project.write("digests/.keep", "")
    project.add()
    stages = yaml.safe_load(project.read("inner/dvc.yaml"))["stages"]
    assert stages["each"]["params"] == [{"../digests/all.json": ["inner/steps/${item.name}"]}]
    assert "deps" not in stages["each"]
    assert stages["tool"]["params"] == [{"digests/all.json": ["steps_of_tools/program:main"]}]
    assert project.read("dvc.yaml").count("digests/all.json") == 4

    project.write("times", "")
    project.dvc("repro", "inner/dvc.yaml")
    assert sorted(project.read("times").split()) == ["a", "a", "b", "b", "tool"]
    project.replace("shared/libs/writing.py", "write('b')", "write('B')")
    project.write("times", "")
    project.dvc("repro", "inner/dvc.yaml")
    assert project.read("times").split() == ["b", "b"]
    project.replace("steps_of_tools/program.py", "'x'", "'y'")
    project.write("times", "")
    project.dvc("repro", "inner/dvc.yaml")
    assert project.read("times").split() == ["tool"]


def test_what_is_not_seen_is_said(project):
    project.write(
        "prepare.py", "import importlib, sys, os, work\n\nos.system('true')\nimportlib.import_module(sys.argv[3])\n"
    )
    project.write("work.py", "if __name__ == '__main__':\n    print(1)\n")
    project.write("sub.sh", "python score.py\n")
    project.write("broken.py", "def f(:\n")
    project.write("score.py", "import broken\nimport strangelib\n")
    project.replace("src/pkg/train.py", "import sys", "import sys\nfrom cleaning.words import lower")
    project.replace("dvc.yaml", "- mkdir -p scores", "- sh sub.sh")
    project.replace("dvc.yaml", "- clean.txt\n", "- clean.txt\n        - cleaning/words.py\n")
    project.replace("dvc.yaml", "[in.txt, prepare.py]", "[in.txt, prepare.py, work.py, cleaning]")
    (project.root / "absent").mkdir()
    said = project.add()
    for line in (
        "cleaning stays under deps of prepare: its command does not reach all of it",
        "work.py stays under deps of prepare: its command does not reach all of it",
        "cleaning/words.py stays under deps of train: its command does not reach all of it",
        "  prepare: prepare:statement 2 takes code by a name that it computes (import_module)",
        "  prepare: prepare:statement can start other programs (os.system)",
        "  score: runs the shell script sub.sh",
        "  score: broken.py, line 1: invalid syntax: it counts byte by byte",
        "no version counts of strangelib: no lock file has it, and it is not installed here",
    ):
        assert line in said.splitlines(), said
    assert "[in.txt, work.py, cleaning]" in project.read("dvc.yaml")


def test_line_ends_of_windows_stay(project):
    (project.root / "dvc.yaml").write_bytes(PIPELINE.replace("\n", "\r\n").encode())
    project.add()
    content = (project.root / "dvc.yaml").read_bytes()
    assert b"code.json: [prepare]\r\n" in content
    assert content.count(b"\n") == content.count(b"\r\n")


def test_a_project_whose_code_json_is_something_else(project):
    project.write("code.json", "[1]")
    project.replace("dvc.yaml", "deps: [in.txt, prepare.py]", "deps: [in.txt, prepare.py, code.json]")
    before = project.read("dvc.yaml")
    assert "code.json is there and has no digests" in project.flow("--add", command="digests", code=1)
    assert project.read("dvc.yaml") == before


def test_scripts_whose_names_begin_alike_up_to_a_dot(project):
    stages = project.read("dvc.yaml")
    for name in ("score.v2", "score.v2.b"):
        project.write(f"{name}.py", f"open('{name}.txt', 'w').write('1')\n")
        stages += f"  {name.replace('.', '_')}:\n    cmd: python {name}.py\n    outs: [{name}.txt]\n"
    project.write("dvc.yaml", stages)
    project.add()
    assert len(project.ran()) == 4
    project.replace("score.v2.py", "'1'", "'2'")
    project.dvc("repro")
    assert [project.read(f"{name}.txt") for name in ("score.v2", "score.v2.b")] == ["2", "1"]


@pytest.mark.parametrize(
    ("keys", "named", "names"),
    [
        ({"train.v2", "steps/a"}, (), {}),
        ({"train.v2", "train"}, (), {"train.v2": "train_v2"}),
        ({"train.v2", "train"}, ("train.v2",), {"train": "train_2"}),
        ({"train.v2", "train", "train_v2"}, ("train_v2",), {"train.v2": "train_v2_2"}),
        ({"a", "a.b", "a.b.c"}, ("a", "a.b"), {"a.b": "a_b", "a.b.c": "a_b_c"}),
    ],
)
def test_names_of_digests(keys, named, names):
    assert distinct(keys, named) == {key: names.get(key, key) for key in keys}


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ("3", "dvc.yaml is not valid: line "),
        ("[{3: [rate]}]", "where a path or a name is a number, a date or true, write it as text, in quotes"),
    ],
)
def test_a_project_that_dvc_cannot_read(project, params, said):
    project.replace("dvc.yaml", "params: [rate]", f"params: {params}")
    before = project.read("dvc.yaml")
    printed = project.flow("--add", command="digests", code=1)
    assert said in printed and "Traceback" not in printed
    assert project.read("dvc.yaml") == before
