import pytest

from repline.errors import InputError
from repline.report.run_records import read_runs, runs_of
from tests.report.toy_system import RUNS


def test_records_are_read_in_order_and_found_by_system(project):
    records = read_runs(project / "data/scratch/runs")
    assert [record["stage"] for record in records] == sorted(run["stage"] for run in RUNS)
    assert {record["stage"] for record in runs_of(records, "toy")} == {RUNS[0]["stage"], RUNS[1]["stage"]}
    assert runs_of(records, "to") == []
    assert (
        next(record for record in records if record["stage"] == "stages.toy.evaluate")["ended"]
        == "2026-11-21 19:41 UTC"
    )


def test_no_folder_has_no_runs(tmp_path):
    assert read_runs(tmp_path / "gone") == []


@pytest.mark.parametrize("text", ["{", "[]", '{"stage": "a"}'])
def test_a_broken_record_is_one_sentence(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=r"a\.json"):
        read_runs(tmp_path)
