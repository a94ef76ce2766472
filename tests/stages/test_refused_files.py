"""A stage whose files the system refuses says so in one sentence; a fault of its code keeps its traceback."""

import errno
import os

import pytest

import stages


def fails_with(error: Exception, cause: Exception | None = None):
    def main() -> None:
        raise error from cause

    return main


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DVC_STAGE", "stages/urn/dvc.yaml:train")


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EMFILE])
def test_one_sentence_names_the_file(code):
    words = os.strerror(code)
    with pytest.raises(SystemExit) as ended:
        stages.run(fails_with(OSError(code, words, "data/raw")))
    assert ended.value.code == f"urn:train: data/raw: {words}; nothing was left half-written"


def test_the_error_that_a_library_wraps_is_found():
    with pytest.raises(SystemExit) as ended:
        stages.run(fails_with(RuntimeError("cannot save"), OSError(errno.EROFS, "Read-only file system", "model")))
    assert ended.value.code == "urn:train: model: Read-only file system; nothing was left half-written"


def test_a_full_disk_asks_for_space():
    with pytest.raises(SystemExit) as ended:
        stages.run(fails_with(OSError(errno.ENOSPC, "No space left on device", "data/raw")))
    full = "the disk is full while writing data/raw; free some space and run again"
    assert ended.value.code == f"urn:train: {full}; nothing was left half-written"


def test_a_file_that_the_code_forgot_keeps_its_traceback():
    with pytest.raises(FileNotFoundError):
        stages.run(fails_with(FileNotFoundError(errno.ENOENT, "No such file or directory", "data/raw")))
