"""Outputs appear whole, and whoever may read the files of this process may read all of them."""

import os

import numpy as np
import pytest
from safetensors.numpy import save_file

from repline.files import new_file, new_folder, write_json


@pytest.fixture(params=[0o022, 0o027, 0o077])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_weights_can_be_read_by_those_who_read_other_files(tmp_path, umask):
    with new_folder(tmp_path / "model") as partial:
        (partial / "inner").mkdir()
        save_file({"weights": np.zeros(2)}, partial / "inner/model.safetensors")
    with new_file(tmp_path / "alone.safetensors") as partial:
        save_file({"weights": np.zeros(2)}, partial)
    for name in ("model/inner/model.safetensors", "alone.safetensors"):
        assert (tmp_path / name).stat().st_mode & 0o777 & ~0o200 == 0o444 & ~umask, name


def test_a_linked_file_keeps_its_mode(tmp_path):
    private = tmp_path / "private.txt"
    private.write_text("a")
    private.chmod(0o600)
    with new_folder(tmp_path / "folder") as partial:
        os.link(private, partial / "hard.txt")
        (partial / "soft.txt").symlink_to(private)
    assert private.stat().st_mode & 0o777 == 0o600


def test_another_process_can_add_to_what_it_wrote_into_its_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    (tmp_path / "runs").mkdir()
    with new_folder(tmp_path / "runs") as partial:
        with new_folder(partial / "model/seed-0") as model:
            write_json(model / "training.json", {"f1": 1})
        (partial / "model/seed-0/scores.txt").write_text("1")
        write_json(partial / "tried.json", [1])
        written = sorted(path.relative_to(partial).as_posix() for path in partial.rglob("*.*"))
        assert written == ["model/seed-0/scores.txt", "model/seed-0/training.json", "tried.json"]
        write_json(tmp_path / "outside.json", [1])
        with new_folder(partial):  # a run that is trained into the folder itself
            pass
        assert partial.is_dir() and not list(partial.iterdir())
    assert [path.name for path in tmp_path.rglob("*")] == ["runs"]
