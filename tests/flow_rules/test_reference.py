"""A run against the committed results of its profile, by a stand-in for `stages.upkeep.reference`."""

import json

from flow_rules import reference

OUTS = ["data/evaluation/toy/metrics.json", "data/models/toy"]


def test_the_comparison_is_what_the_command_says(tmp_path):
    assert reference.compare(tmp_path, "small", OUTS) == []
    (tmp_path / "results").mkdir()
    (tmp_path / "results/small.json").write_text("{}")
    (tmp_path / "stages/upkeep").mkdir(parents=True)
    command = tmp_path / "stages/upkeep/reference.py"
    command.write_text("import sys; print(*sys.argv[1:])")
    assert reference.compare(tmp_path, "small", OUTS) == ["small --compare --brief --systems toy"]
    command.write_text("raise SystemExit('stages.upkeep.reference: nothing is here')")
    assert reference.compare(tmp_path, "small", OUTS) == [
        "not compared with the reference: stages.upkeep.reference: nothing is here"
    ]


def test_the_seconds_of_stages_are_those_of_the_reference(tmp_path):
    assert reference.seconds(tmp_path, "small") == {}
    (tmp_path / "results").mkdir()
    entries = {"train": {"seconds": 3.5, "core_seconds": 4}, "quick": {}}
    (tmp_path / "results/small.json").write_text(json.dumps({"stages": entries}))
    assert reference.seconds(tmp_path, "small") == {"train": 3.5}
