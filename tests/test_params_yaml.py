"""params.yaml as DVC rewrites it: `dvc exp run -S` reads the file, sets a knob, writes it and reads it again."""

import shutil
from copy import deepcopy
from pathlib import Path

import pytest
from dvc.utils.hydra import apply_overrides
from dvc.utils.serialize import load_yaml

from repline import parameters

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("override", "place", "value"),
    [
        ("urn.dyck.variants.turn.k=5", "urn.dyck.variants.turn", {"k": 5}),
        ("+lexical_contrast.configurations.syn.epochs=3", "lexical_contrast.configurations.syn", {"epochs": 3}),
        ("+bracket_rnn.runs.lstm.epochs=3", "bracket_rnn.runs.lstm", {"epochs": 3}),
        ("hardware.precision=bf16-mixed", "hardware", {"precision": "bf16-mixed"}),
        ("+urn.dyck.hardware.tf32=true", "urn.dyck.hardware", {"tf32": True}),
    ],
)
def test_dvc_sets_one_knob_and_leaves_the_others(tmp_path, override, place, value):
    path = tmp_path / "params.yaml"
    shutil.copy(ROOT / "params.yaml", path)
    before = parameters.read(path)
    apply_overrides(path, [override])
    wanted = deepcopy(before)
    parameters.section(wanted, place).update(value)
    assert parameters.read(path) == load_yaml(path) == wanted != before


@pytest.mark.parametrize("profile", sorted(path.name for path in (ROOT / "profiles").glob("*.yaml")))
def test_a_profile_changes_parameters_that_there_are(profile):
    merged = parameters.merge(
        parameters.read(ROOT / "params.yaml"), parameters.read(ROOT / "profiles" / profile), profile
    )
    assert merged.keys() == parameters.read(ROOT / "params.yaml").keys()
