"""The time zone that the times of a schedule are in."""

import time

import pytest

from flows.errors import InputError
from flows.servers import time_zone


@pytest.fixture
def zone(monkeypatch):
    """Set the variable TZ for a test."""
    monkeypatch.setattr("tzlocal.unix._cache_tz_name", None)  # it remembers its first answer

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    monkeypatch.undo()
    time.tzset()


def test_it_is_the_one_that_the_machine_names(zone):
    zone("Asia/Tokyo")
    assert time_zone.of_this_machine() == "Asia/Tokyo"


@pytest.mark.parametrize("name", ["Asia/Tokyo", None])
def test_one_without_a_name_is_not_taken_for_another(zone, monkeypatch, name):
    zone("<+1245>-12:45")
    monkeypatch.setattr(time_zone.tzlocal, "get_localzone_name", lambda: name)
    with pytest.raises(InputError, match=r"the time zone of this machine, \+1245, has no name"):
        time_zone.of_this_machine()


def test_a_machine_that_names_none_may_be_in_utc(zone, monkeypatch):
    zone("UTC")
    monkeypatch.setattr(time_zone.tzlocal, "get_localzone_name", lambda: None)
    assert time_zone.of_this_machine() == "UTC"
