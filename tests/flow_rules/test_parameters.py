"""The flow refuses parameters that no stage reads, or that their stage would refuse, before it starts any."""

from pathlib import Path

import pytest
import yaml

from flow_rules.parameters import ACCEPTED, check
from repline import parameters
from repline.errors import InputError

PROJECT = Path(__file__).parents[2]
PROFILES = ["", *sorted(path.stem for path in (PROJECT / "profiles").glob("*.yaml"))]


@pytest.fixture
def root(tmp_path):
    """A folder with the project's code and parameters of its own."""
    for package in ("repline", "stages"):
        (tmp_path / package).symlink_to(PROJECT / package)
    return tmp_path


def write(root, values):
    (root / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False))


def checked(root):
    sections = set(parameters.read(root / "params.yaml"))
    check(root, (), {"a stage that reads everything": sections})


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_is_accepted(root, profile):
    values = parameters.read(PROJECT / "params.yaml")
    if profile:
        values = parameters.merge(values, parameters.read(PROJECT / "profiles" / f"{profile}.yaml"))
    write(root, values)
    checked(root)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("urn.seeds", [0, "one"], r"urn.seeds\[1\] should be a valid integer, found 'one'"),
        ("usif.weighting", 3, "usif"),
        ("semantic_roles.corpora", 3, "semantic_roles.corpora should be a valid dictionary, found 3"),
        ("knowledge_graphs.geonames.split.held_out", 3, "held_out should be less than 1, found 3"),
        ("hardware.precision", "bf8", "hardware.precision should be .*'bf16-mixed', found 'bf8'"),
        ("checkpoints.minutes", -1, "checkpoints.minutes should be greater than 0, found -1"),
    ],
)
def test_a_value_that_its_stage_would_refuse_is_refused_at_once(root, name, value, sentence):
    values = parameters.read(PROJECT / "params.yaml")
    write(root, values)
    checked(root)
    *sections, last = name.split(".")
    parameters.section(values, ".".join(sections))[last] = value
    write(root, values)
    for _ in range(2):  # what was accepted before says nothing about it, and it is never accepted
        with pytest.raises(InputError, match=sentence):
            checked(root)


def test_the_same_parameters_are_read_again_only_by_other_code(root):
    write(root, {"usif": {"no": "settings"}})
    with pytest.raises(InputError, match="usif"):
        checked(root)
    values = parameters.read(PROJECT / "params.yaml")
    write(root, values)
    checked(root)
    accepted = (root / ACCEPTED).read_text()
    (root / "data/code.json").write_text("{}")
    checked(root)
    assert (root / ACCEPTED).read_text() != accepted
