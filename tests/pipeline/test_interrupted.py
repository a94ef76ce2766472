"""Ctrl-C on a stage that a person started by hand: it ends at once, with a word and not with a traceback."""

import signal
import time

import pytest

from tests.pipeline.conftest import PATIENCE, moment


@pytest.mark.parametrize(
    ("command", "program", "event", "path"),
    [
        ("stages.urn.train dyck turn", "stages.urn.train", "import", "torch"),  # in its first seconds
        ("stages.urn.train dyck turn", "stages.urn.train", "os.rename", "/checkpoint.ckpt"),
        ("stages.wikipedia.annotate", "multiprocessing.forkserver", "import", "spacy"),  # its worker
        ("stages.wikipedia.annotate", "stages.wikipedia.annotate", "open", "card.json.partial"),  # its worker is idle
    ],
)
def test_ends_at_once_with_a_word(undisturbed, expected, tmp_path, command, program, event, path):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=False)
    interrupt = moment(tmp_path / "hit", program, event, path, sent=signal.SIGINT, group=True)
    if "wikipedia" in command:
        (checkout.root / "two_threads.yaml").write_text("stages: {annotate: {meta: {threads: 2}}}")
        interrupt["DVC_STAGE"] = "two_threads.yaml:annotate"  # a second thread is a worker
    process = checkout.start(*command.split(), fresh=event == "import", **interrupt)
    printed, _ = process.communicate(timeout=PATIENCE)
    ended = time.time()
    assert (tmp_path / "hit").exists(), printed
    assert process.returncode == 130, printed
    assert printed.splitlines()[-1].endswith(": interrupted") and "Traceback" not in printed, printed
    assert ended - (tmp_path / "hit").stat().st_mtime < PATIENCE / 8  # a hang is a failure, a busy machine is slow
    checkout.assert_nothing_runs()
    assert checkout.unfinished() == []
    assert checkout.outputs() == expected
