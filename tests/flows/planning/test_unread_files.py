"""A project that DVC cannot read is told in one sentence: the file, the line, and the name that was meant."""

import pytest

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
