"""A setting that Prefect refuses is named in one line."""

import pytest

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
