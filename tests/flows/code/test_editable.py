"""Where packages that are installed as folders lie, and in which projects they count."""

import pytest

from flows.code import editable
from flows.code.editable import Editable


@pytest.fixture
def installed(tmp_path, monkeypatch):
    folders = [tmp_path / "project/libs/foo", tmp_path / "project-2/libs/bar"]
    table = {folder.name: Editable(folder, (folder / "src",)) for folder in folders}
    monkeypatch.setattr(editable, "editables", lambda root: table)


def test_a_package_counts_in_the_project_that_it_lies_in(installed, tmp_path):
    assert editable.searched(tmp_path / "project") == [tmp_path / "project/libs/foo/src"]
    assert editable.searched(tmp_path / "project-2") == [tmp_path / "project-2/libs/bar/src"]
    assert editable.searched(tmp_path / "other") == []


def test_a_workspace_has_the_packages_of_its_checkout(installed, tmp_path):
    workspace = tmp_path / "project/.dvc/tmp/flow/workspaces/small"
    (workspace / ".dvc").mkdir(parents=True)
    assert editable.searched(workspace) == []
    (workspace / ".dvc/copied").write_text("")
    assert editable.searched(workspace) == [tmp_path / "project/libs/foo/src"]


def test_a_project_behind_a_link(installed, tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    assert editable.searched(tmp_path / "link") == [tmp_path / "link/libs/foo/src"]
