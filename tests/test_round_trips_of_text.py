"""Records, written as the page of a format says and read again, are the same records."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DataObject, data, sampled_from

from tests.round_trip_formats import FORMATS

ENDS = {"LF": "\n", "CR LF": "\r\n", "CR": "\r"}


@pytest.mark.parametrize("name", FORMATS)
@settings(derandomize=True, database=None, deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(data())
def test_what_is_written_is_read(name: str, data: DataObject) -> None:
    form = FORMATS[name]
    records = data.draw(form.records)
    end, encoding = data.draw(sampled_from(sorted(ENDS.values()))), data.draw(sampled_from(["utf-8", "utf-8-sig"]))
    with TemporaryDirectory() as folder:
        for file, text in form.files(records).items():
            (Path(folder) / file).write_bytes(text.replace("\n", end).encode(encoding))
        assert form.read(Path(folder)) == records
