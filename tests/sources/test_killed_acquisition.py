"""The command is killed in the middle of a download and run again."""

import hashlib
import os
import time
from pathlib import Path

import pytest
import yaml

from tests.commands import FORKS

ROOT = Path(__file__).parents[2]
PATIENCE = 300  # seconds; a busy machine is slow, a hang is a failure
DOWNLOADED = "*[0-9a-f].partial"  # not the record beside it, whose partial file comes and goes


@pytest.fixture
def start(tmp_path, web, content):
    """Start `python -m stages.acquire dump` in a folder of its own."""
    file = {"name": "a.bin", "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    entry = {"title": "A dump", "licence": "CC0", "home": web.root, "used_by": [], "files": [file]}
    catalogue = yaml.safe_dump({"dump": entry | {"places": [{"https": web.url}]}})
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DVC_")}
    environment["PYTHONPATH"] = str(ROOT)

    def start(name):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "sources.yaml").write_text(catalogue)
        return folder, FORKS.start(folder, "stages.acquire", "dump", environment=environment)

    return start


def test_next_run_continues_and_gives_the_same_bytes(start, web, content, answer):
    folder, process = start("whole")
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    expected = {path.name: path.read_bytes() for path in (folder / "data/raw/dump").iterdir()}
    assert expected["a.bin"] == content

    web.seen.clear()
    web.script = [answer(slow=0.2), answer()]
    folder, process = start("killed")
    downloads = folder / "data/scratch/downloads"
    deadline = time.monotonic() + PATIENCE
    while not any(path.stat().st_size > 1 << 17 for path in downloads.glob(DOWNLOADED)):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.kill()
    process.communicate()
    assert not (folder / "data/raw/dump").exists()
    (size,) = (path.stat().st_size for path in downloads.glob(DOWNLOADED))
    assert size < len(content)

    folder, process = start("killed")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert web.ranges() == [None, f"bytes={size}-"]
    assert [path.name for path in (folder / "data/raw").iterdir()] == ["dump"]
    assert {path.name: path.read_bytes() for path in (folder / "data/raw/dump").iterdir()} == expected
    assert list(downloads.iterdir()) == []


def test_error_is_one_sentence(start, web, answer):
    web.script = [answer(status=404)]
    folder, process = start("missing")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said.strip().splitlines() == [
        f"stages.acquire dump: dump: cannot get a.bin (https {web.url}: the server answers 404 Not Found); "
        "connect to the network and run again"
    ]
    assert list((folder / "data/raw").iterdir()) == []
