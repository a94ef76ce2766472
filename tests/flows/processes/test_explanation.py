"""What a failed stage said is wrong, found among the last lines that it printed."""

from flows.processes.stage import _explanation
from flows.project.addresses import short

ADDRESS = "stages/urn/dvc.yaml:train_dyck@turn"
LINES = [
    f"Running stage '{ADDRESS}':",
    "> python -m stages.urn.train dyck turn",
    "urn:train_dyck@turn: params.yaml: unknown parameter 'urn.dyck.epoch'",
    "    did you mean 'epochs'?",
    f"failed to reproduce '{ADDRESS}'",
    "failed to run: python -m stages.urn.train dyck turn, exited with 1",
]


def test_it_begins_with_the_name_of_the_stage_once():
    explanation = _explanation(short(ADDRESS), LINES)
    assert explanation.splitlines() == LINES[2:4]
    assert explanation.count("train_dyck@turn") == 1


def test_another_stages_words_and_a_traceback_explain_nothing():
    assert _explanation(short(ADDRESS), [line.replace("urn:train", "hcan:train") for line in LINES]) == ""
    assert _explanation(short(ADDRESS), ["Traceback (most recent call last):", "KeyError: 'a'"]) == ""
