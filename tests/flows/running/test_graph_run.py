"""One run of a plan, without Prefect: when a stage gives back its room."""

from flows.display import views
from flows.display.progress import Progress
from flows.planning.dvc_graph import Stage
from flows.planning.selection import Selection
from flows.planning.slots import Slots
from flows.running.graph_run import GraphRun
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
