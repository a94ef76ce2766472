"""Files of DVC that cannot be read: one sentence names the file and says what to do."""

import pytest

from tests.flows.conftest import stage


@pytest.mark.parametrize(
    ("name", "merged"), [("params.yaml", "x: 1\n"), ("dvc.yaml", "stages:\n"), ("dvc.lock", "    outs:\n")]
)
def test_a_merge_that_is_not_finished(offline, name, merged):
    offline.write("params.yaml", "x: 1\n")
    offline.stages({"a": stage("a", params=["x"])})
    offline.flow()
    head, entry, rest = offline.read(name).partition(merged)
    offline.write(name, f"{head}<<<<<<< ours\n{entry}=======\n{entry}>>>>>>> theirs\n{rest}")
    printed = offline.flow(code=1)
    line = head.count("\n") + 1
    problem = f"{name}, line {line}: a merge of Git is not finished there, so keep one side"
    assert f"reproduce: {problem} (`git checkout --ours {name}` or `--theirs`), and run again" in printed
    assert printed.count("\n") == 1


def test_an_empty_lock(offline):
    offline.stages({"a": stage("a")})
    offline.flow()
    offline.write("dvc.lock", "")
    assert "dvc.lock is empty; restore it (`git checkout ./dvc.lock`), or remove it" in offline.flow(code=1)
    (offline.root / "dvc.lock").unlink()
    assert "1 ran" in offline.flow()


def test_a_broken_line(offline):
    offline.stages({"a": stage("a")})
    offline.write("dvc.lock", "a: [\n")
    printed = offline.flow(code=1)
    assert "dvc.lock, line 2: this is not valid YAML (" in printed and printed.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("stages:\n", "line 1, stages: expected a dictionary"),
        ("stages:\n  a:\n    cmd: true\n", "line 3, stages.a.cmd: expected str"),
        (
            "stages:\n  a:\n    deps: [x]\n    foo: 1\n",
            "line 4, stages.a.foo: extra keys not allowed; line 2, stages.a.cmd: required key not provided",
        ),
        (
            "stages:\n  a:\n    cmd: x\n    outs:\n    - y\n    - z: {remote: }\n",
            "line 6, stages.a.outs.1.z.remote: expected str",
        ),
    ],
)
def test_each_entry_that_dvc_does_not_allow(offline, text, problem):
    offline.write("sub/dvc.yaml", text)
    assert offline.flow("-P", code=1).endswith(f"reproduce: sub/dvc.yaml is not valid: {problem}\n")


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        (
            {"outs": ["${item}"]},
            "DVC cannot read the project ('int' not supported.); where a path or a name is a number",
        ),
        ({"deps": ["${item}"]}, "has no attribute 'decode'); where a path or a name is a number"),
    ],
)
def test_a_path_that_is_a_number(offline, keys, problem):
    offline.stages({"x": {"foreach": [1, 2], "do": {"cmd": "echo ${item} > ${item}", **keys}}})
    for printed in (offline.flow("--dry", code=1), offline.flow("x@1", command="explain", code=1)):
        assert problem in printed and printed.count("\n") == 1


def test_a_remote_whose_library_is_not_here(offline):
    offline.stages({"a": stage("a")})
    offline.flow("--pull")
    assert "warning: the run-cache is not pulled: config file error: no remote specified" in offline.flow("--pull")
    offline.dvc("remote", "add", "-d", "far", "webhdfs://far/away")
    printed = offline.flow("--pull", code=1)
    assert "DVC cannot read the project (webhdfs is supported, but requires 'dvc-webhdfs'" in printed
    assert printed.count("\n") == 1


TRAIN = {"foreach": "${model.variants}", "do": {"cmd": "echo ${item} > ${key}", "outs": ["${key}"]}}


@pytest.fixture
def project(repository):
    repository.stages({"train": TRAIN})
    return repository


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            "model: {variants: {a: 1}}\nseed: 1\nseed: 2\n",
            "params.yaml, line 3: this is not valid YAML (the key 'seed' is",
        ),
        ("model:\n\tvariants: {a: 1}\n", "params.yaml, line 2: this is not valid YAML (found character that cannot"),
        ("modell: {variants: {a: 1}}\n", "'model.variants': params.yaml has no 'model'; did you mean 'modell'?"),
        ("model: {variant: {a: 1}}\n", "params.yaml has no 'model.variants'; did you mean 'variant'?"),
    ],
)
def test_broken_parameters(project, parameters, message):
    project.write("params.yaml", parameters)
    printed = project.flow("--dry", code=1, PREFECT_API_URL="")
    assert message in printed and len(printed.strip().splitlines()) == 1
