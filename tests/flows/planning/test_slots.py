"""What may run at the same time."""

from flows.planning.dvc_graph import Stage
from flows.planning.slots import Slots


def stage(address: str, threads: int = 1, gpus: int = 0) -> Stage:
    return Stage(address, upstream=(), threads=threads, gpus=gpus, retries=0, fingerprint=None)


def test_the_number_of_stages_is_limited():
    slots = Slots(jobs=2, threads=8, gpus=[])
    first, second, three = (stage(name) for name in "abc")
    assert slots.take(first) == {} and slots.take(second) == {} and slots.take(three) is None
    slots.give_back(first)
    assert slots.take(three) == {}


def test_threads_sum_up_and_too_many_are_all_there_are():
    slots = Slots(jobs=9, threads=4, gpus=[])
    assert slots.take(stage("a", threads=3)) == {}
    assert slots.take(stage("b", threads=2)) is None
    assert slots.take(stage("c")) == {}
    slots.give_back(stage("a"))
    slots.give_back(stage("c"))
    assert slots.take(stage("d", threads=64)) == {}
    assert slots.take(stage("e")) is None


def test_each_gpu_has_one_stage_and_is_named_to_it():
    slots = Slots(jobs=9, threads=9, gpus=["0", "GPU-1b2c"])
    assert slots.take(stage("a", gpus=1)) == {"CUDA_VISIBLE_DEVICES": "0"}
    assert slots.take(stage("b", gpus=1)) == {"CUDA_VISIBLE_DEVICES": "GPU-1b2c"}
    assert slots.take(stage("c", gpus=1)) is None and slots.take(stage("d")) == {}
    slots.give_back(stage("b"))
    assert slots.take(stage("c", gpus=1)) == {"CUDA_VISIBLE_DEVICES": "GPU-1b2c"}


def test_without_a_gpu_the_stages_that_would_use_one_are_like_others():
    slots = Slots(jobs=2, threads=9, gpus=[])
    assert slots.take(stage("a", gpus=1)) == {}
    assert slots.take(stage("b", gpus=1)) == {}
    assert slots.take(stage("c", gpus=1)) is None
