"""Where our own Prefect server keeps its runs: with the project, unless the user says another folder."""

import pytest

from flows.servers import prefect_server
from tests.flows.conftest import PROJECT


@pytest.fixture
def user(tmp_path, monkeypatch):
    """A user's home folder, and a project of theirs that this process is in, in a folder below its root."""
    for name in ("PREFECT_HOME", "PREFECT_PROFILES_PATH"):
        monkeypatch.setenv(name, "")  # put back at the end, whatever the test sets
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project/.dvc").mkdir(parents=True)
    (tmp_path / "project/stages").mkdir()
    (tmp_path / "project/pyproject.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path / "project/stages")
    return tmp_path


def test_it_is_the_projects(user):
    prefect_server._use_project_home()
    assert prefect_server.home() == user / "project/data/scratch/prefect"
    assert "PREFECT_PROFILES_PATH" not in prefect_server.os.environ


def test_the_users_settings_stay_in_force(user):
    settings = user / ".prefect/profiles.toml"
    settings.parent.mkdir()
    settings.write_text('active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "http://127.0.0.1:9"\n')
    assert prefect_server.configured() == "http://127.0.0.1:9"
    prefect_server._use_project_home()
    assert prefect_server.os.environ["PREFECT_PROFILES_PATH"] == str(settings)
    assert prefect_server.configured() == "http://127.0.0.1:9"


def test_a_folder_of_the_users_choice_is_kept(user, monkeypatch):
    monkeypatch.setenv("PREFECT_HOME", str(user / "elsewhere"))
    prefect_server._use_project_home()
    assert prefect_server.home() == user / "elsewhere"
