"""A setting that Prefect refuses is named in one line."""

import os

import pytest

from flows.servers import prefect_server
from tests.flows.conftest import stage


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("PREFECT_LOGGING_LEVEL", "BAD", "'BAD': Input should be 'DEBUG'"),
        ("PREFECT_API_REQUEST_TIMEOUT", "soon", "'soon': Input should be a valid number"),
        ("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "soon", "'soon': expected a whole number of seconds"),
    ],
)
def test_it_is_named_without_a_traceback(offline, setting, value, expected):
    offline.stages({"a": stage("a")})
    printed = offline.flow("--prefect", code=1, fresh=True, **{setting: value})
    assert f"Prefect's setting {setting} is {expected}" in printed and "Traceback" not in printed


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (".env", b"NAME=caf\xe9\n", "the file .env here, which is not UTF-8 text"),
        ("prefect.toml", b"[api\n", "Failed to load Prefect settings from prefect.toml: invalid TOML"),
        ("home/profiles.toml", b"active =\n", "home/profiles.toml, which is not valid TOML"),
    ],
)
def test_a_file_of_settings_that_cannot_be_read_stops_runs_with_prefect_alone(offline, file, text, expected):
    offline.stages({"a": stage("a")})
    home = str(offline.write("home/x", "").parent)
    (offline.root / file).write_bytes(text)
    offline.flow(PREFECT_HOME=home)
    printed = offline.flow("--prefect", "--force", code=1, fresh=True, PREFECT_HOME=home)
    assert expected in printed and "Traceback" not in printed


@pytest.mark.parametrize("text", ['api = "here"', "[api]\nurl = 4200", "api = [4200]"])
def test_settings_of_another_type_name_no_server(tmp_path, monkeypatch, text):
    (tmp_path / "prefect.toml").write_text(text)
    (tmp_path / "profiles.toml").write_text('active = 3\nprofiles = "here"\n')
    monkeypatch.setattr(os, "environ", {"PREFECT_HOME": str(tmp_path)})
    monkeypatch.chdir(tmp_path)
    assert prefect_server.configured() is None


@pytest.mark.parametrize("line", ['PREFECT_API_URL="http://a:1/api" # ours', "prefect_api_url=http://a:1/api # ours"])
def test_the_file_of_variables_is_read_as_prefect_reads_it(tmp_path, monkeypatch, line):
    (tmp_path / ".env").write_text(f"{line}\n")
    monkeypatch.setattr(os, "environ", {"PREFECT_HOME": str(tmp_path)})
    monkeypatch.chdir(tmp_path)
    assert prefect_server.configured() == "http://a:1/api"
