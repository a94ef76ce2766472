"""Kill -9 at any moment: only finished outputs lie in data/, and the same command then ends with the same bytes."""

import shutil
import signal
import time

import pytest

from tests.pipeline.conftest import PATIENCE, make_checkout, moment

SOURCE = "agreement_templates"
WIKIPEDIA, URN = (f"stages/{name}/dvc.yaml" for name in ("wikipedia", "urn"))


@pytest.fixture(scope="module")
def checkout(undisturbed, tmp_path_factory):
    """A finished checkout without DVC's cache: what is removed has to run again. Each test leaves it finished."""
    return undisturbed.copy(tmp_path_factory.mktemp("killed"), cache=False)


# `group`: the stage, and DVC, and everything else it started; else the stage's own process, of which DVC has to tell
@pytest.mark.parametrize(
    ("stage", "program", "output", "event", "path", "count", "group"),
    [
        (f"acquire@{SOURCE}", "stages.acquire", f"raw/{SOURCE}", "open", f"{SOURCE}.tsv", 1, True),
        (f"acquire@{SOURCE}", "stages.acquire", f"raw/{SOURCE}", "os.rename", f"data/raw/{SOURCE}", 1, False),
        (f"{WIKIPEDIA}:extract", "stages.wikipedia", "corpora/wikipedia_articles", "os.rename", "_articles", 1, True),
        (f"{WIKIPEDIA}:annotate", "stages.wikipedia", "corpora/wikipedia", "os.rename", "/wikipedia", 1, False),
        (
            f"{URN}:prepare_agreement",
            "stages.urn.prepare_agreement",
            "corpora/agreement",
            "os.rename",
            "/agreement",
            1,
            True,
        ),
        # one checkpoint is there, the second is about to take its place
        (f"{URN}:train_dyck@turn", "stages.urn.train", "models/urn/dyck-turn", "os.rename", ".ckpt", 2, False),
        (f"{URN}:evaluate", "stages.urn.evaluate", "evaluation/urn", "os.rename", "evaluation/urn/plots", 1, True),
        # report.json is new, the page is about to be
        ("report", "stages.report", "report", "os.rename", "report/index.html", 1, False),
    ],
)
def test_a_killed_stage_runs_again_to_the_same_bytes(
    checkout, expected, tmp_path, stage, program, output, event, path, count, group
):
    shutil.rmtree(checkout.root / "data" / output)
    command = ("dvc", "repro", "--single-item", stage)
    kill = moment(tmp_path / "hit", program, event, path, count=count, group=group)
    process = checkout.start(*command, forked=True, **kill)
    printed, _ = process.communicate(timeout=PATIENCE)
    assert (tmp_path / "hit").exists(), printed
    assert process.returncode == (-signal.SIGKILL if group else 255), printed
    checkout.assert_nothing_runs()
    assert checkout.outputs().items() <= expected.items()
    assert checkout.unfinished() != []
    if "train" in program:
        assert len(list((checkout.root / "data/scratch").glob("urn-*/checkpoint.ckpt"))) == 1

    assert f"Running stage '{stage}'" in checkout.run(*command)
    assert checkout.outputs() == expected
    assert checkout.unfinished() == [] and not list((checkout.root / "data/scratch").glob("urn-*"))
    assert "up to date" in checkout.run("dvc", "status", stage)


def test_two_flows_finish_what_a_killed_one_began(served, python, expected, tmp_path):
    """Started from nothing in another folder than `dvc repro` was, so this is also the second of two runs."""
    checkout = make_checkout(tmp_path, served, python)
    flow = ("flows", "reproduce", f"{URN}:train_dyck@turn", f"{URN}:prepare_agreement")
    killed = checkout.start(*flow)
    deadline = time.monotonic() + PATIENCE
    while not (checkpoints := list((tmp_path / "data/scratch").glob("urn-*/checkpoint.ckpt"))):
        assert killed.poll() is None and time.monotonic() < deadline
        time.sleep(0.002)
    killed.kill()
    killed.communicate()
    checkout.assert_nothing_runs()
    assert killed.returncode == -signal.SIGKILL
    assert any(path.exists() for path in checkpoints)  # a finished training would have taken it away
    began = checkout.outputs()
    assert began and began.items() <= expected.items()

    both = [checkout.start(*flow, forked=True) for _ in range(2)]
    outputs = [process.communicate(timeout=PATIENCE)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    compared = ("code.json", "raw/agreement_templates", "corpora/dyck", "corpora/agreement", "models/urn/dyck-turn")
    assert checkout.outputs() == {name: digest for name, digest in expected.items() if name.startswith(compared)}
    assert checkout.unfinished() == []
    assert "Nothing to do" in checkout.run(*flow)
