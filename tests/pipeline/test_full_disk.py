"""A disk that is too small for an output: one sentence, exit 1, and nothing half-written."""

import subprocess

import pytest

from tests.commands import FORKS as STAGES
from tests.pipeline.conftest import PATIENCE


def may_mount() -> bool:
    """Whether a process may mount for itself: root may, and others where user namespaces are allowed."""
    for command in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        try:
            subprocess.run([*command, "sh", "-c", "mount -t tmpfs tmpfs /mnt"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return True
    return False


@pytest.fixture(scope="module")
def checkout(undisturbed, tmp_path_factory):
    """A finished checkout for all these tests, which leave its outputs as they are."""
    if not may_mount():
        pytest.skip("needs a small file system to fill, and this account may not mount one (root or user namespaces)")
    return undisturbed.copy(tmp_path_factory.mktemp("full-disk"), cache=False)


@pytest.mark.parametrize(
    ("program", "folder", "size"),
    [
        ("stages.acquire agreement_templates", "data/raw", "300k"),  # copied by Python
        ("stages.wikipedia.extract", "data/corpora", "8k"),  # Parquet
        ("stages.report", "data/report", "1m"),  # text
        ("stages.urn.train dyck turn", "data/scratch", "12k"),  # a checkpoint, by torch
        ("stages.urn.train dyck arbitrary", "data/models/urn", "24k"),  # a model, by safetensors
    ],
)
def test_one_sentence_and_nothing_half_written(checkout, expected, program, folder, size):
    process = STAGES.start(
        checkout.root,
        *program.split(),
        environment=checkout.environment,
        # a small file system over one folder, which only this process and its children see
        elsewhere=[f"mount -t tmpfs -o size={size} tmpfs {checkout.root / folder}"],
        afterwards=[f"find {folder} -type f"],
    )
    printed, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, printed + errors
    (sentence,) = errors.splitlines()
    assert sentence.startswith(program + ": the disk is full") and sentence.endswith("half-written")
    left = [line.removeprefix("data/") for line in printed.splitlines() if line.startswith(f"{folder}/")]
    assert [name for name in left if name not in expected] == []
    assert checkout.outputs() == expected  # outside of that process, where nothing was mounted
