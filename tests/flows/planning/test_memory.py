"""Memory as a stage says it, and as the room that running stages share."""

import pytest

from flows.planning import memory
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Estimate, Room, starting, urgency
from flows.planning.slots import Slots

SIZES = {"8 GiB": 8 << 30, "500MB": 500_000_000, "2g": 2_000_000_000, "1.5 kib": 1536, "7": 7, "2 apples": None}


@pytest.mark.parametrize(("text", "size"), SIZES.items())
def test_a_size_is_what_people_write(text, size):
    assert memory.bytes_of(text) == size


def needs(name: str, size: int) -> Stage:
    return Stage(name, (), 1, 0, 0, None, memory=size)


def test_no_two_stages_together_take_more_than_there_is():
    slots = Slots(4, 4, gpus=[], memory=100)
    assert slots.take(needs("a", 60)) == {}
    assert slots.take(needs("b", 60)) is None and slots.take(needs("c", 40)) == {}
    slots.give_back(needs("a", 60))
    assert slots.take(needs("b", 60)) == {}
    slots.give_back(needs("b", 60))
    slots.give_back(needs("c", 40))
    assert slots.take(needs("huge", 900)) == {} and slots.take(needs("small", 1)) is None  # all there is, and alone
    assert slots.take(Stage("silent", (), 1, 0, 0, None)) == {}


def test_the_schedule_starts_a_stage_when_there_is_memory_for_it():
    plan = {name: needs(name, size) for name, size in {"a": 60, "b": 60, "c": 30}.items()}
    estimates = {"a": Estimate(30.0), "b": Estimate(20.0), "c": Estimate(10.0)}
    room = Room(4, 4, 0, 100)
    paths = urgency(plan, estimates)
    assert starting(plan, estimates, paths, list(plan), {}, room) == ["a", "c"]
    assert starting(plan, estimates, paths, ["b", "c"], {}, room) == ["b", "c"]
