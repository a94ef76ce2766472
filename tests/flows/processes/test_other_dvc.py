"""Another DVC, without a name that the fork server uses: the command `dvc` runs the stages."""

import signal
import sys

import psutil
import pytest

from tests.flows.conftest import FORKS, PATIENCE, stage, wait_until

# only in the fork server: a module it imports beforehand is gone, or a function that it replaces
MODULE = "sys.modules['dulwich.worktree'] = None"
FUNCTION = "import dvc.utils.serialize._yaml as _yaml; del _yaml.parse_yaml_for_update"


@pytest.fixture(params=[MODULE, FUNCTION], ids=["module", "function"])
def other_dvc(request, repository, tmp_path):
    lines = ["import sys", "if 'flows.processes.forkserver' in sys.orig_argv:", f"    {request.param}"]
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text("\n".join(lines) + "\n")
    repository.environment |= {"PYTHONPATH": f"{site}:{repository.environment['PYTHONPATH']}"}
    return repository


def test_the_stages_run_by_the_command_with_one_warning(other_dvc, api, tmp_path):
    other_dvc.python = str(FORKS.interpreter(tmp_path))
    bad = stage("bad", then="echo the disk is made of cheese >&2 && false")
    environment = "echo $CUDA_VISIBLE_DEVICES > gpu"
    many = {"a": stage("a", then=environment, meta={"gpu": 1}), "b": stage("b", after=("a",)), "bad": bad}
    other_dvc.stages(many)
    printed = other_dvc.flow("--jobs", "2", code=1, CUDA_VISIBLE_DEVICES="7")
    assert printed.count("this DVC is not the one these flows know") == 1, printed
    assert "bad failed" in printed and "the disk is made of cheese" in printed
    assert api.states(3) == {"a": "Completed", "b": "Completed", "bad": "Failed"}
    assert other_dvc.read("gpu") == "7\n"
    other_dvc.write("in.txt", "other\n")
    other_dvc.flow("b")
    assert api.states(2) == {"a": "Completed", "b": "Cached"}
    other_dvc.flow("--force", "b")
    assert api.states(2) == {"a": "Completed", "b": "Completed"}
    other_dvc.stages({name: many[name] for name in "ab"})
    other_dvc.assert_clean()


def test_an_interrupt_ends_the_command_and_what_it_started(other_dvc):
    other_dvc.stages({"slow": stage("slow", then="echo $$ > times/pid && sleep 600")})
    process = other_dvc.start()
    pid = int(other_dvc.wait_for("times/pid"))
    command = psutil.Process(pid).parent()
    assert command.cmdline()[:4] == [sys.executable, "-P", "-m", "dvc"]
    process.send_signal(signal.SIGINT)
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == 130, printed
    wait_until(lambda: not psutil.pid_exists(pid) and not command.is_running())
