"""What Prefect shows of a run: names, systems, choices, timeouts, artifacts; and what it keeps."""

import json
from dataclasses import fields

import yaml

from flows.planning.selection import Selection
from tests.flows.conftest import FORKS, PATIENCE, THIS_PROJECT, stage

TOY = """
system: {title: Toy, summary: A toy, headline: {label: Loss, comparator: nothing, claim: low, format: .2f}}
paper: {title: On Toys, authors: A. Uthor, venue: TOY, year: 2020, url: "https://example.org/toys"}
tables:
  - id: loss
    caption: Loss of the toy
    metric: loss
    better: lower
    rows: [{dataset: blocks, variant: full, item: "", value: 0.5, measured: loss}]
"""


def systems(repository, **files: dict) -> None:
    """A dvc.yaml for each system."""
    for system, stages in files.items():
        inside = {name: stage | {"wdir": "../.."} for name, stage in stages.items()}
        repository.stages(inside, f"stages/{system}/dvc.yaml")


def test_a_run_is_named_and_has_a_sub_flow_with_tagged_tasks_for_each_system(repository, api):
    repository.stages({"last": stage("last", after=("b", "c"))})
    bad = stage("bad", after=("c",), then="echo no cheese && false")
    systems(repository, one={"a": stage("a"), "b": stage("b", after=("a",))}, two={"c": stage("c"), "bad": bad})
    repository.flow("stages/one/dvc.yaml", "stages/two/dvc.yaml", "last", code=1)
    run = api.last_flow_run()
    assert run["name"] == "small: one, two, last"
    tasks = api.tasks(run, 5)
    assert {name: task["tags"] for name, task in tasks.items()} == {
        "last": ["trunk"],
        "stages/one/dvc.yaml:a": ["one"],
        "stages/one/dvc.yaml:b": ["one"],
        "stages/two/dvc.yaml:c": ["two"],
        "stages/two/dvc.yaml:bad": ["two"],
    }
    runs_by_system = api.systems(run)
    assert {name: (sub["state_name"], sub["tags"]) for name, sub in runs_by_system.items()} == {
        "one": ("Completed", ["one"]),
        "two": ("Failed", ["two"]),
        "trunk": ("Completed", ["trunk"]),
    }
    assert runs_by_system["two"]["state"]["message"] == "1 failed, 1 ran"
    inputs = tasks["last"]["task_inputs"]["wait_for"]
    assert {run_input["id"] for run_input in inputs} == {
        tasks[f"stages/{name}"]["id"] for name in ("one/dvc.yaml:b", "two/dvc.yaml:c")
    }


def test_unchanged_stages_are_cached_beside_those_that_ran_and_one_task_where_none_did(repository, api):
    systems(repository, one={"a": stage("a"), "b": stage("b", after=("a",))}, two={"c": stage("c", after=("a",))})
    repository.dvc("repro", "-q", "stages/one/dvc.yaml", "stages/two/dvc.yaml")
    (repository.root / "out/b").unlink()
    repository.flow("stages/one/dvc.yaml", "stages/two/dvc.yaml")
    run = api.last_flow_run()
    tasks = api.tasks(run, 3)
    assert {name: task["state_name"] for name, task in tasks.items()} == {
        "stages/one/dvc.yaml:a": "Cached",
        "stages/one/dvc.yaml:b": "Completed",
        "two": "Cached",
    }
    assert tasks["stages/one/dvc.yaml:a"]["cache_key"] and tasks["two"]["tags"] == ["two"]
    assert tasks["two"]["state"]["message"] == "DVC: unchanged: two:c"
    assert set(api.systems(run)) == {"one"}


def test_a_stage_that_takes_longer_than_its_timeout_is_ended(repository, api):
    slow = stage("slow", then="echo begun && sleep 60", meta={"timeout": 1.5, "retries": 0})
    repository.stages({"slow": slow, "below": stage("below", after=("slow",))})
    printed = repository.flow(code=1)
    assert "slow took longer than its timeout of 1.5 s" in printed and "begun" in printed and "Traceback" not in printed
    assert api.states(2) == {"slow": "TimedOut", "below": "Skipped"}


def test_a_retry_waits_as_long_as_the_stage_says(repository, api):
    then = "date +%s.%N >> tries && test $(wc -l < tries) -gt 1"
    repository.stages({"flaky": stage("flaky", then=then, meta={"retries": 1, "retry_delay": 1})})
    repository.flow()
    first, second = map(float, repository.read("tries").split())
    assert second - first > 0.9
    policy = api.tasks(api.last_flow_run(), 1)["flaky"]["empirical_policy"]
    assert (policy["retries"], policy["retry_delay"]) == (1, 1)


def test_artifacts_are_of_what_ran_in_this_run(repository, api):
    repository.write("pyproject.toml", THIS_PROJECT)
    for system in ("toy", "other"):
        repository.write(f"stages/{system}/published.yaml", TOY)
        repository.write(f"{system}.txt", "0.25")
        folder = f"data/evaluation/{system}"
        command = f"mkdir -p {folder} && echo '{{\"loss\": '$(cat {system}.txt)'}}' > {folder}/metrics.json"
        outs = {"outs": [f"{folder}/metrics.json"]}
        systems(repository, **{system: {"evaluate": {"cmd": command, "deps": [f"{system}.txt"]} | outs}})

    def artifacts() -> set[str]:
        listed = api.post("artifacts/filter", {"flow_runs": {"id": {"any_": [api.last_flow_run()["id"]]}}})
        return {artifact["key"] for artifact in listed}

    both = ("stages/toy/dvc.yaml", "stages/other/dvc.yaml")
    repository.flow(*both)
    assert artifacts() == {"small-toy-loss", "small-other-loss"}
    repository.write("toy.txt", "0.5")
    repository.flow(*both)
    assert artifacts() == {"small-toy-loss"}
    repository.flow(*both)
    assert artifacts() == set()


def test_prefect_keeps_no_result_of_any_run(repository, tmp_path):
    home = tmp_path / "home"
    repository.stages({"a": stage("a"), "b": stage("b")})
    for _ in range(2):
        repository.flow(PREFECT_HOME=str(home))
    assert not [path for path in (home / "storage").rglob("*") if path.is_file()]


def test_a_parameter_is_overridden_in_a_workspace_of_its_own(repository, api):
    read = "python -c \"import yaml; print(yaml.safe_load(open('params.yaml'))['model'])\" > out/train"
    train = {"cmd": f"mkdir -p out && {read}", "params": ["model"], "outs": ["out/train"]}
    repository.write("params.yaml", "profile: small\nmodel: {units: 50, seeds: [0, 1]}\n")
    repository.stages({"train": train})
    repository.flow()
    before = repository.read("params.yaml"), repository.read("dvc.lock")
    repository.flow("-S", "model.seeds=[7]", "--set-param", "+model.layers=2")
    assert (repository.read("params.yaml"), repository.read("dvc.lock")) == before
    [workspace] = (repository.root / "data/scratch/workspaces").iterdir()
    assert workspace.name.startswith("small+") and "model.seeds" in workspace.name
    output = (workspace / "out/train").read_text()
    assert yaml.safe_load(output) == {"units": 50, "seeds": [7], "layers": 2}
    assert repository.read("out/train") == "{'units': 50, 'seeds': [0, 1]}\n"
    assert api.last_flow_run()["name"] == "small: everything (model.seeds=[7], +model.layers=2)"

    mistakes = {
        "model.seed=3": "override 'model.seed=3': unknown parameter 'model.seed'; did you mean 'seeds'?",
        "model.units": "override 'model.units': expected NAME=VALUE",
        "+model.units=3": "override '+model.units=3': 'units' is there already; leave the + out",
        "model.units=[1": "override 'model.units=[1': the value is not YAML",
    }
    for override, sentence in mistakes.items():
        printed = repository.flow("-S", override, code=1)
        assert sentence in printed and "Traceback" not in printed


def test_the_profiles_of_the_checkout_are_a_choice(offline):
    offline.write("params.yaml", "profile: small\n")
    offline.write("profiles/tiny.yaml", "{}\n")
    ask = "import json; from flows.reproduce import reproduce as f; print(json.dumps(f.parameters.model_dump()))"
    offline.write("ask.py", ask)
    printed, errors = FORKS.start(offline.root, "ask", environment=offline.environment).communicate(timeout=PATIENCE)
    assert not errors
    properties = json.loads(printed)["properties"]
    elsewhere = ("targets", "force", "interactive")  # a run that Prefect starts has no terminal to ask
    selection = [entry.name for entry in fields(Selection) if entry.name not in elsewhere]
    assert list(properties) == ["targets", "profile", "overrides", "jobs", "force", *selection, "remote"]
    assert properties["profile"]["enum"] == ["small", "tiny"]
    assert "train.seed=1" in properties["overrides"]["description"]
