"""Fingerprints of stages, of the lock files here and of those of a revision."""

import pytest

from flows.errors import InputError
from flows.records import fingerprint


def test_a_revision_without_git_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="HEAD is a revision of Git, and there is no git"):
        fingerprint.at_revision(tmp_path, "train", "HEAD")
