"""The records of report.json have the keys of the models that they are written from."""

import typing

import pytest

from repline.evaluation.claims.headlines import Headline
from repline.evaluation.claims.judgement import Verdict
from repline.evaluation.claims.published import ComparedRow, Paper, Statement, Table
from repline.evaluation.claims.yaml_records import LEFT_OUT, Record
from repline.report import result_records
from repline.report.figures import Figure


@pytest.mark.parametrize(
    ("record", "model"),
    [
        (result_records.PaperRecord, Paper),
        (result_records.TableRow, ComparedRow),
        (result_records.PaperTable, Table),
        (result_records.PaperStatement, Statement),
        (result_records.JudgedClaim, Verdict),
        (result_records.ReportFigure, Figure),
    ],
)
def test_a_record_has_the_keys_of_its_model(record: type, model: type[Record]):
    required = {name for name, field in model.model_fields.items() if LEFT_OUT not in field.metadata}
    assert record.__required_keys__ == required
    assert record.__required_keys__ | record.__optional_keys__ == set(model.model_fields)


def test_a_headline_has_the_keys_of_its_model():
    assert set(typing.get_type_hints(result_records.MeasuredHeadline)) == set(Headline.model_fields)
