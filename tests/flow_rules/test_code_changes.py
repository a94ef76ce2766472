"""What the flow's `explain` says of this project's digests, in a small project of the same layout."""

import pytest

from flow_rules import code_changes
from repline.errors import InputError
from stages.code import digest, project

FILES = {
    "stages/one.py": "from repline.b import f\n\n\ndef main():\n    f()\n\n\nif __name__ == '__main__':\n    main()\n",
    "repline/b.py": "def f():\n    return g()\n\n\ndef g():\n    return 1\n\n\ndef write(folder):\n    return 3\n",
    "dvc.yaml": "stages:\n  one:\n    cmd: python -m stages.one\n",
    "sources.yaml": "raw: {files: [{name: x, places: [{made: 'repline.b:write'}]}]}\n",
    "requirements.lock": "",
    "requirements-torch.lock": "",
}


@pytest.fixture
def root(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    digest.write(tmp_path)
    return tmp_path


def edit(root, before: str, after: str) -> None:
    path = root / "repline/b.py"
    path.write_text(path.read_text().replace(before, after))
    code_changes._digests.cache_clear()


def test_the_definition_that_changed_is_named(root):
    values = project.digests(root)
    before, source = values["stages"]["one"], values["sources"]["raw"]
    assert code_changes.changes(root, "stages.one", before) == []
    edit(root, "return 1", "return 1  # comment")
    assert code_changes.changes(root, "stages.one", before) == []
    edit(root, "return 1", "return 2")
    assert code_changes.changes(root, "stages.one", before) == [
        "repline.b:g changed, by stages.one:main -> repline.b:f"
    ]
    assert code_changes.changes(root, "sources.raw", source) == []
    edit(root, "return 3", "return 4")
    assert code_changes.changes(root, "sources.raw", source) == ["the code that makes the source raw changed"]


def test_a_command_that_no_stage_runs(root):
    with pytest.raises(InputError, match=r"no digest of stages\.two"):
        code_changes.changes(root, "stages.two", "0")
