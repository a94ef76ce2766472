"""One run of a plan, without Prefect: when a stage gives back its room, and what a signal does."""

import signal
import threading
import time

from flows.display import views
from flows.display.progress import Progress
from flows.planning import estimates
from flows.planning.dvc_graph import Stage
from flows.planning.selection import Selection
from flows.planning.slots import Slots
from flows.running.graph_run import GraphRun
from flows.running.outcome import Outcome
from flows.running.threads import ThreadRunner


def test_a_module_gives_its_room_back_when_its_command_ends(tmp_path):
    """DVC records the outputs meanwhile; a shell may have more commands to run."""
    plan = {
        name: Stage(name, (), 1, 0, 0, None, is_module=is_module)
        for name, is_module in {"module": True, "shell": False, "other": True}.items()
    }
    slots = Slots(1, 1, gpus=[])
    run = GraphRun(Progress(tmp_path, plan, {}, slots.room), Selection(), slots, views.Stream(), ThreadRunner())
    for name, is_free in (("module", True), ("shell", False)):
        assert slots.take(plan[name]) == {}
        run._finish(name)
        assert (slots.take(plan["other"]) == {}) == is_free and (name in run.finishing) == is_free
        for planned in plan.values():
            slots.give_back(planned)  # at their ends; once more changes nothing
    assert (slots.jobs, slots.threads) == (1, 1)


class EndsWhenStopped(ThreadRunner):
    """A runner whose only stage ends when it is stopped."""

    def start(self, request, ended):
        self._ended = ended

    def stop(self):
        self._ended(Outcome("stopped"))


def test_a_signal_that_is_handled_as_a_wait_ends_stops_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".dvc").mkdir()
    slots, runner = Slots(1, 1, gpus=[]), EndsWhenStopped()
    plan = {"endless": Stage("endless", (), 1, 0, 0, None)}
    progress = Progress(tmp_path, plan, estimates.read(tmp_path, "small", plan), slots.room)
    run = GraphRun(progress, Selection(), slots, views.Stream(), runner)

    def handle(*_):
        time.sleep(0.5)  # longer than the run waits for an event
        run.stopping.set()

    before = signal.signal(signal.SIGUSR1, handle)
    main_thread = threading.main_thread().ident
    interrupt = threading.Timer(0.1, lambda: signal.pthread_kill(main_thread, signal.SIGUSR1))
    too_late = threading.Timer(60, lambda: runner._ended(Outcome("ran")))  # a run that waits on ends here
    try:
        with run.opened():
            interrupt.start()
            too_late.start()
            run.advance()
    finally:
        too_late.cancel()
        interrupt.cancel()
        signal.signal(signal.SIGUSR1, before)
    assert run.ended["endless"].how == "stopped"
    assert run.verdict().message == "stopped: 0 ran, 0 unchanged, 1 not finished"
