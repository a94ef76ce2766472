import json
import re

import pytest

from repline.errors import InputError
from repline.report import page
from repline.report.content import describe
from tests.report.toy_system import HOSTILE, PARAMETERS

TABLE = {
    "columns": [
        {"task": "MR", "kind": "classification", "measure": "accuracy", "items": 10662},
        {"task": f"Mine {HOSTILE}", "kind": "similarity", "measure": "Pearson", "items": 1379},
    ],
    "rows": [
        {
            "encoder": f"mine {HOSTILE}",
            "untrained": False,
            "dimensions": 4096,
            "cells": [{"value": 0.8125, "low": 0.8, "high": 0.82449, "above_untrained": True}, None],
        },
        {
            "encoder": "average",
            "untrained": True,
            "dimensions": 50,
            "cells": [
                {"value": 0.77, "low": 0.76, "high": 0.78, "above_untrained": None},
                {"value": -0.02, "low": -0.1, "high": 0.06, "above_untrained": None},
            ],
        },
    ],
}


@pytest.fixture
def written(project):
    def written(table):
        folder = project / "data/evaluation/sentence_suite"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.json").write_text(json.dumps(table))
        return describe(["toy"], PARAMETERS, project / "stages", project / "data")

    return written


def section_of(html):
    section = html[html.index('<section id="sentence-encoders"') :]
    return section[: section.index("</section>")]


def test_without_a_table_there_is_no_section(project):
    report = describe(["toy"], PARAMETERS, project / "stages", project / "data")
    assert report["sentence_encoders"] is None
    assert "All encoders and all tasks" not in page.render(report)


def test_shows_values_intervals_and_what_is_above_the_untrained(written):
    section = section_of(page.render(written(TABLE)))
    text = " ".join(re.sub("<[^>]+>", " ", section).replace("&nbsp;", " ").split())
    assert "4096 81.2* 80.0 to 82.4 –" in text or "4096 81.3* 80.0 to 82.4 –" in text
    assert "average untrained 50 77.0 76.0 to 78.0 −2.0 −10.0 to 6.0" in text
    assert 'title="classification: accuracy of 10,662"' in section
    assert "<script>" not in section and "<img" not in section


def test_each_heading_sorts_by_the_exact_values_of_its_column(written):
    head, body = section_of(page.render(written(TABLE))).split("<tbody>")
    assert head.count('<button type="button"') == 4
    values = [re.findall(r'data-value="([^"]*)"', row) for row in body.split("<tr>")[1:]]
    assert values[0][1:] == ["4096", "0.8125", ""]
    assert values[1] == ["average", "50", "0.77", "-0.02"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"rows": [{"encoder": "a", "untrained": True, "dimensions": 1, "cells": []}]},
            "row 1: expected a cell for each of 2 columns, found 0",
        ),
        ({"columns": [{"task": "a"}]}, "column 1: kind is missing"),
        ({"rows": None}, "rows is missing"),
    ],
)
def test_a_malformed_table_is_named(written, change, message):
    with pytest.raises(InputError, match=message):
        written(TABLE | change)
