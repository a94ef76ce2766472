"""params.yaml as DVC rewrites it: `dvc exp run -S` reads the file, sets a knob, writes it and reads it again."""

import importlib
import pkgutil
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from dvc.utils.hydra import apply_overrides
from dvc.utils.serialize import load_yaml

import repline
from repline import parameters
from repline.evaluation.claims.judgement import PROFILES

ROOT = Path(__file__).parent.parent


OVERRIDES = [  # as after -S, where it is, what it says then
    ("urn.dyck.variants.turn.k=5", "urn.dyck.variants.turn", {"k": 5}),
    ("+lexical_contrast.configurations.syn.epochs=3", "lexical_contrast.configurations.syn", {"epochs": 3}),
    ("+bracket_rnn.runs.lstm.epochs=3", "bracket_rnn.runs.lstm", {"epochs": 3}),
    ("hardware.precision=bf16-mixed", "hardware", {"precision": "bf16-mixed"}),
    ("+urn.dyck.hardware.tf32=true", "urn.dyck.hardware", {"tf32": True}),
]


@pytest.mark.parametrize("profile", PROFILES)
def test_claims_are_judged_at_the_scale_of_the_profile(profile):
    values = parameters.read(ROOT / "params.yaml")
    if profile != "small":
        values = parameters.merge(values, parameters.read(ROOT / f"profiles/{profile}.yaml"))
    assert values["profile"] == profile


def test_dvc_sets_knobs_and_leaves_the_others(tmp_path):
    path = tmp_path / "params.yaml"
    shutil.copy(ROOT / "params.yaml", path)
    expected = parameters.read(path)
    for override, section, value in OVERRIDES:
        before = deepcopy(expected)
        parameters.section(expected, section).update(value)
        assert expected != before, override
    apply_overrides(path, [override for override, _, _ in OVERRIDES])
    assert parameters.read(path) == load_yaml(path) == expected


@pytest.mark.parametrize("profile", sorted(path.name for path in (ROOT / "profiles").glob("*.yaml")))
def test_a_profile_changes_parameters_that_there_are(profile):
    shared = parameters.read(ROOT / "params.yaml")
    merged = parameters.merge(shared, parameters.read(ROOT / "profiles" / profile), profile)
    assert merged.keys() == shared.keys()


def test_no_parameter_has_a_name_that_the_run_cache_leaves_out():
    """DVC drops `size` and `nfiles` from a run's key, so that a changed one would give the outputs of the old one."""
    for module in pkgutil.walk_packages(repline.__path__, "repline."):
        if "settings" in module.name or "recipes" in module.name:
            importlib.import_module(module.name)
    sections = list(_subclasses(parameters.Section))
    assert len(sections) > 200
    assert not [section for section in sections if {"size", "nfiles"} & {*section.model_fields}]
    files = [ROOT / "params.yaml", *(ROOT / "profiles").glob("*.yaml")]
    assert not [path.name for path in files if {"size", "nfiles"} & set(_keys(parameters.read(path)))]


def _subclasses(section: type) -> Iterator[type]:
    for subclass in section.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def _keys(values: object) -> Iterator[str]:
    if isinstance(values, dict):
        for key, value in values.items():
            yield str(key)
            yield from _keys(value)
