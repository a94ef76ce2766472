"""Signals to a run: the first asks its stages to end, another one kills them."""

import os
import signal
import threading

import pytest

from flows.processes import stage
from flows.running import whole_run


class Ended(BaseException):
    """In place of the end of the process."""


@pytest.fixture
def killed(monkeypatch):
    """Notes the kill of all stages, in a process that does not end."""
    calls = []
    monkeypatch.setattr(stage, "kill", lambda: calls.append("killed"))

    def end(code):
        raise Ended(code)

    monkeypatch.setattr(os, "_exit", end)
    return calls


def test_a_signal_that_is_sent_to_a_process_and_to_its_group_is_one(killed, monkeypatch):
    monkeypatch.setattr(whole_run, "TWICE", 600.0)  # however slow the machine is
    stopping = threading.Event()
    with whole_run.stop_on_signals(stopping):
        for _ in range(3):
            signal.raise_signal(signal.SIGTERM)
    assert stopping.is_set() and killed == []


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_the_next_one_kills(killed, monkeypatch, signum):
    monkeypatch.setattr(whole_run, "TWICE", 0.0)
    stopping = threading.Event()
    with whole_run.stop_on_signals(stopping):
        signal.raise_signal(signum)
        assert stopping.is_set() and killed == []
        with pytest.raises(Ended, match=str(128 + signum)):
            signal.raise_signal(signum)
    assert killed == ["killed"]


def test_a_run_that_stops_by_itself_is_killed_by_the_first_one(killed):
    stopping = threading.Event()
    with whole_run.stop_on_signals(stopping):
        stopping.set()
        with pytest.raises(Ended):
            signal.raise_signal(signal.SIGINT)
    assert killed == ["killed"]
