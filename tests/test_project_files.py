"""Files that the library takes along, in a folder of this project and in one of another."""

import pytest

from repline.project_files import CHECKOUT, project_file
from tests.commands import ROOT


@pytest.mark.parametrize("name", ["sources.yaml", "params.yaml"])
def test_a_file_of_another_project_is_left_alone(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in (name, "dvc.yaml"):
        (tmp_path / file).write_text("another: project\n")
    (tmp_path / "stages").mkdir()
    assert project_file(name) == ROOT / name
    for file in CHECKOUT:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    assert project_file(name).resolve() == tmp_path / name
