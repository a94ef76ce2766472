"""A run whose own files the system refuses ends with one sentence, and without a traceback."""

import errno
import os
import sqlite3

import pytest

from flows import refused_files
from tests.flows.conftest import stage


@pytest.mark.parametrize("command", [["reproduce"], ["reproduce", "--dry"], ["explain", "a"]])
def test_the_sentence_names_the_file(offline, command):
    offline.stages({"a": stage("a")})
    name, *arguments = command
    printed = offline.flow(*arguments, command=name, code=1, DVC_SITE_CACHE_DIR=f"/{'x' * 300}")
    assert f"{'x' * 300}" in printed and os.strerror(errno.ENAMETOOLONG) in printed
    assert "Traceback" not in printed and len(printed.splitlines()) == 1


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_asks_for_space(code):
    full = refused_files.reason(OSError(code, os.strerror(code), "dvc.lock"))
    assert full == "the disk is full while writing dvc.lock; free some space and run again"
    assert refused_files.reason(OSError(code, os.strerror(code))) == "the disk is full; free some space and run again"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("database or disk is full", "the disk is full while writing a database"),
        ("attempt to write a readonly database", "readonly database"),
    ],
)
def test_databases_are_files(words, expected):
    assert expected in (refused_files.reason(sqlite3.OperationalError(words)) or "")


@pytest.mark.parametrize("error", [FileNotFoundError(2, "x"), sqlite3.OperationalError("no such table"), ValueError()])
def test_faults_of_the_program_are_not_explained_away(error):
    assert refused_files.reason(error) is None
