"""A stage of a variant depends on all that the variants share; what its dvc.yaml does not name would change unseen."""

from pathlib import Path

import pytest
import yaml

import stages
from repline import parameters
from tests.stages import parameter_files

ROOT = Path(stages.__file__).parent.parent
PARAMETERS = parameter_files.shared()
SYSTEMS = ("bracket_rnn", "hrrlm", "language_modeling", "rrnet", "urn")
ABOVE = {
    "hardware",
    "urn.seeds",
    "hrrlm.corpus",
    "hrrlm.seeds",
    "hrrlm.vocabulary",
}  # shared, and not among the variants


def _variants():
    for system in SYSTEMS:
        for name, stage in yaml.safe_load((ROOT / f"stages/{system}/dvc.yaml").read_text())["stages"].items():
            if "foreach" in stage:
                yield pytest.param(stage["foreach"].strip("${}"), stage["do"]["params"], id=f"{system}-{name}")


@pytest.mark.parametrize(("mapping", "named"), _variants())
def test_a_variant_depends_on_itself_and_on_what_all_share(mapping, named):
    section, _, _ = mapping.rpartition(".")
    section_values = parameters.section(PARAMETERS, section)
    shared = {f"{section}.{key}" for key, value in section_values.items() if not isinstance(value, dict)}
    if "hardware" in section_values:
        shared.add(f"{section}.hardware")
    used = {name for name in named if isinstance(name, str)} - ABOVE
    assert used == (shared - ABOVE) | {f"{mapping}.${{key}}"}
