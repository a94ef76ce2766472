"""A disk that is too small for an output: one sentence, exit 1, and nothing half-written."""

import subprocess
import sys

import pytest

from tests.pipeline.conftest import PATIENCE

# a small file system over one folder, which only this process and its children see
SMALL = """
mount -t tmpfs -o size="$1" tmpfs "$2" || exit 99
folder="$2"; shift 2
"$@"; code=$?
find "$folder" -type f
exit $code
"""


def own_mounts() -> list[str] | None:
    """The command that allows a process to mount for itself: root can, and others where user namespaces are allowed."""
    for command in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        try:
            subprocess.run([*command, "sh", "-c", "mount -t tmpfs tmpfs /mnt"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return command
    return None


@pytest.fixture(scope="module")
def unshare():
    command = own_mounts()
    if command is None:
        pytest.skip("needs a small file system to fill, and this account may not mount one (root or user namespaces)")
    return command


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
def test_one_sentence_and_nothing_half_written(undisturbed, expected, tmp_path, unshare, program, folder, size):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=False)
    process = subprocess.run(
        [*unshare, "sh", "-c", SMALL, "sh", size, folder, sys.executable, "-m", *program.split()],
        cwd=checkout.root,
        env=checkout.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert process.returncode == 1, process.stdout + process.stderr
    (said,) = process.stderr.splitlines()
    assert said.startswith(program.replace(" ", "-") + ": the disk is full") and said.endswith("half-written")
    left = [line.removeprefix("data/") for line in process.stdout.splitlines() if line.startswith(f"{folder}/")]
    assert [name for name in left if name not in expected] == []
    assert checkout.outputs() == expected  # outside of that process, where nothing was mounted
