import json
import re

import pytest

from repline.errors import InputError
from repline.report import page
from repline.report.content import describe
from tests.report.toy_system import HOSTILE, PARAMETERS

TABLE = {
    "columns": [
        {"test": "SimLex-999", "task": "similarity", "measure": "Spearman", "items": 999},
        {"test": f"Other {HOSTILE}", "task": "analogy", "measure": "accuracy", "items": 19544},
    ],
    "rows": [
        {
            "vectors": f"mine {HOSTILE}",
            "words": 400000,
            "dimensions": 50,
            "cells": [{"value": -0.2646, "penalised": -0.1, "coverage": 0.87612}, None],
        },
        {
            "vectors": "yours",
            "words": 20,
            "dimensions": 5,
            "cells": [
                {"value": None, "penalised": None, "coverage": 0.0},
                {"value": 0.5, "penalised": 0.5, "coverage": 1.0},
            ],
        },
    ],
}


@pytest.fixture
def written(project):
    def written(table):
        folder = project / "data/evaluation/word_vector_suite"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.json").write_text(json.dumps(table))
        return describe(["toy"], PARAMETERS, project / "stages", project / "data")

    return written


def test_without_a_table_there_is_no_section(project):
    report = describe(["toy"], PARAMETERS, project / "stages", project / "data")
    assert report["word_vectors"] is None
    assert "All vectors and all tests" not in page.render(report)


def test_shows_values_coverage_and_penalty(written):
    html = page.render(written(TABLE))
    section = html[html.index('<section id="word-vectors"') :]
    section = section[: section.index("</section>")]
    text = " ".join(re.sub("<[^>]+>", " ", section).replace("&nbsp;", " ").split())
    assert "400,000 50 −0.265 87.6 %: −0.100 –" in text
    assert "20 5 – 0.0 % 0.500 100.0 %" in text
    assert 'title="similarity: Spearman of 999"' in section and "accuracy of 19,544" in section
    assert "<script>" not in section and "<img" not in section


def test_each_heading_sorts_by_the_exact_values_of_its_column(written):
    html = page.render(written(TABLE))
    section = html[html.index('<section id="word-vectors"') : html.index("</section>", html.index('id="word-vectors"'))]
    assert section.count("data-sortable") == 1
    head, body = section.split("<tbody>")
    assert head.count('<button type="button"') == 5
    values = [re.findall(r'data-value="([^"]*)"', row) for row in body.split("<tr>")[1:]]
    assert values[0][1:] == ["400000", "50", "-0.2646", ""]
    assert values[1] == ["yours", "20", "5", "", "0.5"]
    assert "table[data-sortable]" in html


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"rows": [{"vectors": "a", "words": 1, "dimensions": 1, "cells": []}]},
            "row 1: expected a cell for each of 2 columns, found 0",
        ),
        ({"columns": [{"test": "a"}]}, "column 1: task is missing"),
        ({"rows": None}, "rows is missing"),
    ],
)
def test_a_malformed_table_is_named(written, change, message):
    with pytest.raises(InputError, match=message):
        written(TABLE | change)
