"""The flow against `dvc repro`: the same results, but in parallel, and shown stage by stage."""

import errno
import os
import sqlite3

import pytest

from flows import reproduce_command
from tests.flows.conftest import THIS_PROJECT, after_import, stage


def overlap(first: tuple[float, float], second: tuple[float, float]) -> float:
    return min(first[1], second[1]) - max(first[0], second[0])


def test_independent_stages_run_at_the_same_time_and_dvc_finds_nothing_left_to_do(repository, api):
    names = ["a", "b"]
    meet = "touch times/begun-${item.name}; until test -e times/begun-a -a -e times/begun-b; do sleep 0.05; done"
    matrix = stage("${item.name}", then=meet) | {"matrix": {"name": names}}  # each ends when both run
    repository.stages({"many": matrix, "last": stage("last", after=("a", "b"))})
    repository.flow("--jobs", "2")
    assert overlap(repository.span("a"), repository.span("b")) > 0
    assert repository.span("last")[0] > max(repository.span(name)[1] for name in names)
    repository.assert_clean()
    assert set(api.states(3).items()) == {(name, "Completed") for name in ("many@a", "many@b", "last")}


def test_stages_that_share_one_lock_file_all_get_into_it_in_the_order_of_their_names(repository):
    names = [f"n{number:02}" for number in range(12)]
    repository.stages({"many": stage("${item.name}") | {"matrix": {"name": names}}})
    repository.flow("--jobs", "6")
    repository.assert_clean()
    ours = repository.read("dvc.lock")
    (repository.root / "dvc.lock").unlink()
    repository.dvc("repro", "-q", "--force")
    assert repository.read("dvc.lock") == ours


def test_a_second_run_shows_every_task_as_cached_and_runs_nothing(repository, api):
    repository.stages({"a": stage("a"), "b": stage("b", after=("a",))})
    repository.dvc("repro", "-q")  # Prefect has not seen these stages yet
    headers = {"PREFECT_CLIENT_CUSTOM_HEADERS": '{"X-Of": "a proxy"}'}  # which only Prefect's own client sends
    messages = {"nothing to do: 0 ran, 2 unchanged": {}, "everything is up to date: 0 ran, 2 unchanged": headers}
    keys = set()
    for message, environment in messages.items():
        printed = repository.flow(**environment)
        assert "Nothing to do, stages up to date: 2" in printed or message in printed
        assert api.states(1) == {"trunk": "Cached"}
        run = api.last_flow_run()
        assert (run["name"], run["state_type"], run["state"]["message"]) == ("small: everything", "COMPLETED", message)
        task = api.tasks(run, 1)["trunk"]
        assert task["state"]["message"] == "DVC: unchanged: a, b" and task["tags"] == ["trunk"]
        keys.add(task["cache_key"])
    assert len(keys) == 1 and None not in keys
    assert repository.read("times/runs").split() == ["a", "b"]


def test_a_stage_below_a_changed_one_is_cached_when_its_inputs_came_out_the_same(repository, api):
    repository.stages({"a": stage("a"), "b": stage("b", after=("a",)), "c": stage("c")})
    repository.flow()
    repository.write("in.txt", "other\n")
    repository.flow("b")
    assert api.states(2) == {"a": "Completed", "b": "Cached"}
    assert repository.read("times/runs").split().count("b") == 1
    repository.flow("--force", "b")
    assert api.states(2) == {"a": "Completed", "b": "Completed"}
    assert repository.read("times/runs").split().count("c") == 1


def test_a_failed_stage_stops_only_what_depends_on_it(repository, api):
    bad = stage("bad", then="echo the disk is made of cheese >&2 && exit 3")
    below = {"below": stage("below", after=("bad",)), "deeper": stage("deeper", after=("below", "good"))}
    repository.stages({"bad": bad, **below, "good": stage("good", 0.5), "after": stage("after", after=("good",))})
    printed = repository.flow("--jobs", "2", code=1)
    assert "1 of 5 stages failed" in printed and "the disk is made of cheese" in printed and "Traceback" not in printed
    assert repository.exists("out/after") and not repository.exists("out/below")
    assert api.states(5) == {
        "bad": "Failed",
        "below": "Skipped",
        "deeper": "Skipped",
        "good": "Completed",
        "after": "Completed",
    }
    run = api.last_flow_run()
    assert run["state_type"] == "FAILED"
    assert "bad failed" in run["state"]["message"] and "the disk is made of cheese" in run["state"]["message"]
    assert "not run, because bad did not finish" in api.tasks(run, 5)["deeper"]["state"]["message"]


def test_a_stage_is_tried_again_as_often_as_it_says(repository, api):
    flaky = stage(
        "flaky", then="echo try >> tries && test $(wc -l < tries) -gt 1", meta={"retries": 1, "retry_delay": 0}
    )
    repository.stages({"flaky": flaky})
    repository.flow()
    assert repository.read("tries").split() == ["try", "try"]
    assert api.tasks(api.last_flow_run(), 1)["flaky"]["run_count"] == 2


def test_a_stage_that_says_what_is_wrong_is_not_tried_again(repository, api):
    repository.stages(
        {"wrong": stage("wrong", then="echo try >> tries; echo wrong: no such file; false", meta={"retries": 1})}
    )
    printed = repository.flow(code=1)
    assert repository.read("tries").split() == ["try"]
    assert "wrong: no such file" in printed


def test_an_input_that_no_stage_makes_is_told_first_and_stops_only_what_depends_on_it(repository):
    many = {"cmd": "mkdir -p out/many && echo 1 > out/many/one.txt", "deps": ["in.txt"], "outs": ["out/many"]}
    part = {"cmd": "cp out/many/one.txt copy.txt", "deps": ["out/many/one.txt"], "outs": ["copy.txt"]}
    whole = {"cmd": "ls -R out > list.txt", "deps": ["out"], "outs": ["list.txt"]}
    stages = {"many": many, "part": part, "whole": whole}
    repository.stages(stages)
    repository.flow()
    repository.stages({"first": stage("first"), **stages, "typo": stage("typo", after=("mani",))})
    sentence = "typo reads out/mani, which is not there and which no stage makes; did you mean 'out/many'?"
    assert repository.flow("--dry").startswith(f"{sentence}\n")
    printed = repository.flow(code=1)
    assert printed.count(sentence) == 2  # before the first stage, and at the end
    assert repository.exists("out/first") and not repository.exists("out/typo")


def test_what_a_stage_prints_is_in_the_log_of_its_task(repository, api):
    repository.stages({"a": stage("a", then="printf 'half\\rdone 100 words/s\\n'")})
    repository.flow()
    run = api.last_flow_run()
    record = api.log(run, "done 100 words/s")
    assert record["task_run_id"] == api.tasks(run, 1)["a"]["id"]


def test_published_and_measured_numbers_and_claims_are_artifacts(repository, api):
    published = """
system: {title: Toy, summary: A toy, headline: {label: Loss, comparator: nothing, claim: low, format: .2f}}
paper: {title: On Toys, authors: A. Uthor, venue: TOY, year: 2020, url: "https://example.org/toys"}
tables:
  - id: loss
    caption: Loss of the toy
    metric: loss
    better: lower
    rows: [{dataset: blocks, variant: full, item: "", value: 0.5, measured: loss}]
"""
    claim = '[{"id": "low", "text": "The loss is low", "scale": "small", "verdict": "holds", "measured": 0.25, '
    repository.write("pyproject.toml", THIS_PROJECT)
    repository.write("stages/toy/published.yaml", published)
    repository.write("source.json", claim + '"expected": "<= 0.5", "margin": 0.25}]')
    command = (
        "mkdir -p data/evaluation/toy && cp source.json data/evaluation/toy/claims.json && echo '{\"loss\": 0.25}'"
    )
    evaluate = {"cmd": f"{command} > data/evaluation/toy/metrics.json", "deps": ["source.json"]}
    repository.stages({"evaluate": evaluate | {"outs": ["data/evaluation/toy"]}})
    repository.flow()
    records = api.post("artifacts/filter", {"flow_runs": {"id": {"any_": [api.last_flow_run()["id"]]}}})
    artifacts = {artifact["key"]: artifact["data"] for artifact in records}
    assert set(artifacts) == {"small-toy-loss", "small-toy-claims"}
    assert '"published": 0.5' in artifacts["small-toy-loss"] and '"measured": 0.25' in artifacts["small-toy-loss"]
    assert "| holds | small | The loss is low | <= 0.5 | 0.25 | 0.25 | " in artifacts["small-toy-claims"]


@pytest.mark.parametrize("meta", [{"threads": 9999}, {"gpu": 1}])
def test_stages_that_need_all_threads_or_the_one_gpu_take_turns(repository, meta):
    repository.stages({name: stage(name, 0.3, then="echo $CUDA_VISIBLE_DEVICES > gpu", meta=meta) for name in "ab"})
    repository.flow("--jobs", "4", CUDA_VISIBLE_DEVICES="7")
    assert overlap(repository.span("a"), repository.span("b")) < 0
    assert repository.read("gpu") == "7\n"


def test_targets_are_systems_stages_files_of_stages_or_outputs(repository, api):
    repository.stages({"a": stage("a"), "b": stage("b", after=("a",)), "c": stage("c")})
    nested = {"d": stage("d", after=("a",)) | {"wdir": "../.."}, "e": stage("e") | {"wdir": "../.."}}
    repository.stages(nested, "stages/toy/dvc.yaml")
    repository.flow("out/b")
    assert set(api.states(2)) == {"a", "b"}
    repository.flow("stages/toy/dvc.yaml")
    assert api.states(3) == {
        "trunk": "Cached",
        "stages/toy/dvc.yaml:d": "Completed",
        "stages/toy/dvc.yaml:e": "Completed",
    }
    assert not repository.exists("out/c")
    repository.stages({"d": nested["d"], "f": stage("f") | {"wdir": "../.."}}, "stages/toy/dvc.yaml")
    repository.flow("toy:f")
    assert repository.exists("out/f") and not repository.exists("out/c")
    repository.stages({"d": nested["d"], "g": stage("g") | {"wdir": "../.."}}, "stages/toy/dvc.yaml")
    repository.flow("toy")
    assert repository.exists("out/g") and not repository.exists("out/c")


def test_a_mistyped_system_is_told_the_nearest(offline):
    offline.stages({"a": stage("a")})
    offline.stages({"b": stage("b") | {"wdir": "../.."}}, "stages/toys/dvc.yaml")
    printed = offline.flow("toyz", code=1)
    assert "'toyz' is no output, stage or system; did you mean 'toys'?" in printed
    assert "Stage 'c' not found inside 'stages/toys/dvc.yaml' file" in offline.flow("toys:c", code=1)


@pytest.mark.parametrize(
    ("arguments", "variables", "sentence"),
    [
        (["nowhere"], {}, "'nowhere' does not exist as an output or a stage name"),
        (["--profile", "huge"], {}, "there is no profile 'huge'; there are small"),
        (["--address", "tcp://127.0.0.1:1"], {}, "--address names a Dask scheduler, which only --runner dask uses"),
        (["--runner", "dask"], {}, "--runner dask needs --address"),
        (["--runner", "dask", "--address", "tcp://127.0.0.1:1"], {}, "no Dask scheduler answers at tcp://127.0.0.1:1"),
        (["--runner", "dask", "--address", "host"], {}, "no Dask scheduler answers at host (missing port number"),
        ([], {"PREFECT_API_URL": "http://127.0.0.1:1/api"}, "where no Prefect server answers"),
    ],
)
def test_a_mistake_gets_one_sentence(offline, tmp_path, arguments, variables, sentence):
    offline.stages({"a": stage("a")})
    path = after_import(tmp_path / "site", "flows.servers.cluster", CONNECTING=0.5)
    printed = offline.flow(*arguments, code=1, PYTHONPATH=path, **variables)
    assert sentence in printed and "Traceback" not in printed and len(printed.strip().splitlines()) == 1


def test_a_parameter_that_dvc_cannot_read_is_named(offline):
    offline.stages({"a": stage("a")})
    offline.write("params.yaml", "day: 2024-01-01\n")  # DVC takes no dates
    printed = offline.flow(code=1)
    assert "'date' in 'params.yaml:day': write it as text, in quotes" in printed and len(printed.splitlines()) == 1


@pytest.mark.parametrize("served", [False, True])
def test_nothing_to_do_is_answered_without_prefect(offline, api, served):
    offline.stages({"a": stage("a")})
    offline.dvc("repro", "-q")
    url = {"PREFECT_API_URL": api.url} if served else {}
    printed = offline.flow(fresh=True, PYTHONPROFILEIMPORTTIME="1", **url)
    assert "Nothing to do, stages up to date: 1" in printed
    assert "import time" in printed and " dvc.repo" in printed and " prefect" not in printed


def test_asked_for_prefect_without_a_server_the_flow_brings_its_own_and_leaves_its_record(offline, prefect_home):
    offline.stages({"a": stage("a"), "b": stage("b", after=("a",))})
    offline.flow("--prefect", PREFECT_HOME=str(prefect_home))
    offline.assert_clean()
    with sqlite3.connect(prefect_home / "prefect.db") as database:
        states = database.execute("select name, state_name from task_run order by name").fetchall()
        assert states == [("a", "Completed"), ("b", "Completed"), ("trunk", "Completed")]
        names = database.execute("select name, state_name from flow_run order by name").fetchall()
        assert names == [("small: everything", "Completed"), ("trunk", "Completed")]


def test_without_semaphores_the_plan_is_read_in_this_process(monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(reproduce_command, "ProcessPoolExecutor", refuse)
    monkeypatch.setattr(reproduce_command, "_read", lambda options, _: (options, {}))
    assert reproduce_command._read_while_importing_prefect("options") == ("options", {})
