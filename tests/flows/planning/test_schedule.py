"""The order of the stages, by simulation: on small graphs, on random ones, and on the project's own."""

import random
from pathlib import Path

import pytest

from flows.planning import dvc_graph, estimates
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Estimate, Room, starting, time_left, urgency
from flows.planning.selection import Selection
from repline.report import reference
from tests.flows.conftest import CHECKOUT
from tests.flows.planning.simulation import bound, no_delay_by_less_urgent, simulate


def stage(address: str, after: tuple[str, ...] = (), threads: int = 1, gpus: int = 0) -> Stage:
    return Stage(address, upstream=after, threads=threads, gpus=gpus, retries=0, fingerprint=None)


def graph(*stages: Stage) -> dict[str, Stage]:
    return {stage.address: stage for stage in stages}


def test_the_longest_way_in_seconds_goes_first():
    plan = graph(stage("a"), stage("b", ("a",)), stage("c", ("b",)), stage("long"), stage("end", ("c", "long")))
    seconds = {"a": 1, "b": 1, "c": 1, "long": 10, "end": 2}
    paths = urgency(plan, {address: Estimate(time) for address, time in seconds.items()})
    assert paths == {"a": 5, "b": 4, "c": 3, "long": 12, "end": 2}
    spans = simulate(plan, seconds, Room(1, 1, 1))
    assert sorted(spans, key=spans.get) == ["long", "a", "b", "c", "end"]


def test_an_unchanged_stage_takes_no_time():
    plan = graph(Stage("a", (), 1, 0, 0, fingerprint="f"), stage("b", ("a",)))
    assert urgency(plan, {"a": Estimate(50), "b": Estimate(3)}) == {"a": 3, "b": 3}


def test_a_wide_stage_gets_its_threads_when_it_is_ready_and_short_ones_use_them_before():
    below = [stage(f"below{number}", ("wide",)) for number in range(3)]
    plan = graph(stage("first"), stage("wide", ("first",), threads=2), *below, stage("long"), stage("short"))
    seconds = {"first": 10, "wide": 30, "long": 60, "short": 8} | {stage.address: 50 for stage in below}
    spans = simulate(plan, seconds, Room(2, 2, 1))
    assert spans["first"][0] == 0 and spans["short"] == (0, 8)
    assert spans["wide"] == (10, 40)
    assert spans["long"][0] == 40


def test_a_wide_stage_that_is_ready_waits_for_what_runs_but_for_nothing_less_urgent():
    plan = graph(stage("runs"), stage("wide", threads=2), stage("fits"), stage("too_long"), stage("end", ("wide",)))
    times = {"runs": 20, "wide": 50, "fits": 19, "too_long": 21, "end": 100}
    believed = {address: Estimate(time) for address, time in times.items()}
    waiting, room = ["wide", "fits", "too_long", "end"], Room(2, 2, 1)
    paths = urgency(plan, believed)
    assert starting(plan, believed, paths, waiting, {"runs": 20.0}, room) == ["fits"]
    assert starting(plan, believed, paths, ["wide", "too_long", "end"], {"runs": 20.0}, room) == []
    guessed = believed | {"fits": Estimate(19, measured=False)}  # may take much longer than that
    assert starting(plan, guessed, paths, waiting, {"runs": 20.0}, room) == []


def test_no_thread_is_kept_for_a_wide_stage_that_is_further_off_than_it_is_long():
    plan = graph(stage("hour"), stage("wide", ("hour",), threads=2), stage("end", ("wide",)), stage("long"))
    seconds = {"hour": 3600, "wide": 60, "end": 9999, "long": 4000}
    assert simulate(plan, seconds, Room(2, 2, 1))["long"][0] == 0


def test_a_stage_that_waits_for_a_gpu_leaves_the_processor_to_others():
    plan = graph(stage("a", gpus=1), stage("b", gpus=1), stage("c"))
    spans = simulate(plan, {"a": 100, "b": 90, "c": 10}, Room(4, 4, 1))
    assert spans == {"a": (0, 100), "b": (100, 190), "c": (0, 10)}


def test_a_stage_whose_command_has_ended_takes_no_room_and_still_holds_back_what_needs_it():
    plan = graph(stage("ends"), stage("next"), stage("after", ("ends",)))
    believed = {"ends": Estimate(5), "next": Estimate(5), "after": Estimate(50)}
    running, room = {"ends": 1.0}, Room(1, 1, 0)
    paths = urgency(plan, believed)
    assert starting(plan, believed, paths, ["next", "after"], running, room) == []
    assert starting(plan, believed, paths, ["next", "after"], running, room, finishing={"ends"}) == ["next"]


def test_an_estimate_that_was_too_low_grows_with_the_time():
    assert Estimate(10).left(4) == 6 and Estimate(10).left(100) == 25


def test_the_time_left_is_the_longest_way_or_the_work_on_all_threads():
    plan = graph(stage("a"), stage("b", ("a",)), stage("wide", threads=2), stage("c"))
    believed = {"a": Estimate(10), "b": Estimate(20), "wide": Estimate(4), "c": Estimate(1)}
    room = Room(2, 2, 1)
    assert time_left(plan, believed, ["b", "wide", "c"], {"a": 3.0}, room) == 23
    assert time_left(plan, believed, ["wide", "c"], {"a": 3.0}, room) == 6
    assert time_left(plan, believed, [], {}, room) == 0


def random_graph(rng: random.Random) -> tuple[dict[str, Stage], dict[str, float]]:
    plan: dict[str, Stage] = {}
    for number in range(rng.randint(5, 25)):
        upstream = tuple(sorted(rng.sample(sorted(plan), min(len(plan), rng.choice([0, 1, 1, 2, 3])))))
        threads, gpus = rng.choice([1, 1, 1, 1, 2, 3]), int(rng.random() < 0.1)
        plan[f"s{number:02}"] = stage(f"s{number:02}", upstream, threads, gpus)
    return plan, {address: rng.uniform(1, 100) for address in plan}


@pytest.mark.parametrize("seed", range(60))
def test_on_random_graphs_nothing_less_urgent_delays_the_most_urgent_ready_stage(seed):
    rng = random.Random(seed)
    plan, seconds = random_graph(rng)
    cores = rng.choice([2, 3, 4])
    room = Room(rng.choice([2, cores]), cores, 1)
    paths = urgency(plan, {address: Estimate(time) for address, time in seconds.items()})

    watch = no_delay_by_less_urgent(plan, seconds, room, paths)
    spans = simulate(plan, seconds, room, watch=watch)
    assert set(spans) == set(plan)
    wrong = {address: Estimate(time * rng.uniform(0.2, 4), rng.random() < 0.5) for address, time in seconds.items()}
    assert set(simulate(plan, seconds, room, wrong)) == set(plan)  # wrong estimates cost time and nothing else


@pytest.fixture(scope="module")
def project() -> tuple[dict[str, Stage], dict[str, float], dict[str, Estimate]]:
    """The project's graph, what its stages take (recorded where they were, else a guess), and guesses alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dvc_graph, "_run_first", lambda repo, waits: None)  # which would write into the checkout
        plan = dvc_graph.read(CHECKOUT, Selection(force=True))
    stages = reference.read(CHECKOUT / "results")["small"]["stages"]
    recorded = {address: estimates.START + cost["seconds"] for address, cost in stages.items()}  # as a flow plans
    guesses = estimates.read(Path("/nowhere"), "small", plan)
    return plan, {address: recorded.get(address, guesses[address].seconds) for address in plan}, guesses


@pytest.mark.parametrize("cores", [1, 2, 4, 8])
def test_the_project_takes_little_longer_than_any_schedule_must(project, cores):
    plan, seconds, guesses = project
    room = Room(cores, cores, 0)  # no GPU: what would use one runs side by side
    paths = urgency(plan, {address: Estimate(time) for address, time in seconds.items()})
    spans = simulate(plan, seconds, room, watch=no_delay_by_less_urgent(plan, seconds, room, paths))
    assert max(end for _, end in spans.values()) <= 1.1 * bound(plan, seconds, room)
    blind = simulate(plan, seconds, room, guesses)  # a first run, with nothing measured
    assert max(end for _, end in blind.values()) <= 1.3 * bound(plan, seconds, room)
