"""A plan is read without locks of files where nobody holds one, and with them where somebody does."""

import json
import os

import pytest
from dvc import rwlock

from flows.inside_dvc.free_files import while_files_are_free
from flows.planning import dvc_graph
from tests.flows.conftest import stage


@pytest.mark.parametrize(
    ("table", "is_replaced"),
    [(None, True), ({"read": {}, "write": {}}, True), ({"write": {"/x": {"pid": 1, "cmd": "dvc repro"}}}, False)],
)
def test_dvc_takes_locks_where_the_table_has_one(tmp_path, table, is_replaced):
    if table is not None:
        (tmp_path / "rwlock").write_text(json.dumps(table))
    take = rwlock.rwlock
    with while_files_are_free(tmp_path):
        assert (rwlock.rwlock is not take) == is_replaced
    assert rwlock.rwlock is take


def test_a_stage_whose_output_another_process_writes_may_have_to_run(offline):
    offline.stages({"a": stage("a"), "b": stage("b")})
    offline.flow()
    entry = {"pid": os.getpid(), "cmd": "dvc repro in another process"}
    written = {str(offline.root / "out/a"): entry}
    for lock, unchanged in (({}, ["a", "b"]), (written, ["b"])):
        offline.write(".dvc/tmp/rwlock", json.dumps({"read": {}, "write": lock}))
        plan = dvc_graph.read(offline.root)
        assert [name for name, planned in plan.items() if planned.fingerprint] == unchanged
    assert json.loads(offline.read(".dvc/tmp/rwlock"))["write"] == written
