import copy
import math

import pytest

from repline.errors import InputError
from repline.evaluation.claims import published
from repline.report import content
from repline.report.ledger import ledger_chart, ledger_page, published_cells
from tests.report import toy_system

NEEDS = "vectors of another paper"
UNMEASURED = [
    {"reach": "data", "tables": "effects", "item": ["word0", "word1"], "needs": NEEDS},
    {"reach": "size", "tables": "effects", "needs": "a measure"},
    {"reach": "gpu", "bound": True, "tables": ["loss"], "variant": "mul", "needs": "10 GPU hours"},
]
DIFFERENCES = [{"tables": "loss", "why": "It has fewer data."}]


def paper(**more):
    record = copy.deepcopy(toy_system.published()) | {"unmeasured": UNMEASURED, "differences": DIFFERENCES} | more
    return published.validate(record)


def number(measured, interval=None):
    return {"row": [], "published": 0.0, "measured": measured, "interval": interval, "replicates": 1}


SMALL = {("loss", "d", "full"): number(1.857, [1.8, 1.9]), ("effects", "d", "toy", "is"): number(6.35)}


@pytest.fixture
def cells():
    record = paper()
    return published_cells.cells(content.tables(record, {}), {"small": SMALL}, record.differences)


def by_label(cells):
    return {(cell.table, cell.label): cell for cell in cells}


def test_a_number_is_measured_or_has_the_first_reason_that_is_about_it(cells):
    labelled = by_label(cells)
    assert labelled["loss", "d, full"].reach == "measured"
    assert (labelled["loss", "d, mul"].reach, labelled["loss", "d, mul"].needs) == ("gpu", "10 GPU hours")
    assert (labelled["effects", "d, toy, word1"].reach, labelled["effects", "d, toy, word1"].needs) == ("data", NEEDS)
    assert labelled["effects", "d, toy, word2"].reach == "size"
    assert labelled["planes", "d, toy, p, q"].reach == "size"  # bound, and nothing is said: a larger run
    assert labelled["planes", "d, toy, r, s"].reach is None


def test_the_largest_profile_that_measured_a_number_counts():
    real = {("loss", "d", "full"): number(1.48, [1.4, 1.5])}
    cells = published_cells.cells(content.tables(paper(), {}), {"small": SMALL, "real": real})
    loss = by_label(cells)["loss", "d, full"]
    assert (loss.profile, loss.measured, loss.inside, loss.far) == ("real", 1.48, True, False)
    assert by_label(cells)["effects", "d, toy, is"].profile == "small"


def test_a_row_that_is_bound_no_more_is_not_measured_whatever_old_results_have():
    old = {("effects", "d", "toy", "word2"): number(2.25)}
    cells = published_cells.cells(content.tables(paper(), {}), {"real": old})
    assert by_label(cells)["effects", "d, toy, word2"].reach == "size"


def test_differences_are_relative_and_far_is_outside_the_interval(cells):
    loss, effect = by_label(cells)["loss", "d, full"], by_label(cells)["effects", "d, toy, is"]
    assert loss.difference == pytest.approx((1.857 - 1.47213) / 1.47213)
    assert (loss.far, loss.why) == (True, "It has fewer data.")
    assert effect.within(0.02) and not effect.far and not effect.inside


@pytest.mark.parametrize(("measured", "difference"), [(0.0, 0.0), (0.1, math.inf)])
def test_a_published_zero(measured, difference):
    row = {"dataset": "d", "variant": "", "item": "", "value": 0.0, "bound": True}
    assert published_cells.Cell("t", row, "measured", measured=measured).difference == difference


def test_counts(cells):
    counted = published_cells.count(cells)
    assert counted.columns() == (25, 2, 19, 2, 1, 1, 1, 1, 0, 1)
    assert (counted.far, counted.explained) == (1, 1)
    assert len(published_cells.HEADS) == len(counted.columns())
    assert published_cells.needs(cells) == [
        ("size", "a measure", 18),
        ("data", NEEDS, 2),
        ("gpu", "10 GPU hours", 1),
        ("size", "a run of a larger profile", 1),
    ]


@pytest.mark.parametrize(
    ("key", "group", "message"),
    [
        ("unmeasured", {"reach": "data", "tables": "losses", "needs": "x"}, "unmeasured 1 is about no row"),
        ("unmeasured", {"reach": "data", "tables": "loss", "needs": "x"}, "unmeasured 1 is about no row"),  # all bound
        ("unmeasured", {"reach": "measured", "needs": "x"}, "reach"),
        ("unmeasured", {"reach": "data", "needz": "x"}, "needz|needs"),
        ("differences", {"item": "nothing", "why": "x"}, "differences 1 is about no row"),
    ],
)
def test_a_group_that_is_unsound(key, group, message):
    with pytest.raises(InputError, match=message):
        paper(**{key: [group]})


def test_the_chart_has_a_point_with_its_interval_for_each_measured_number(cells):
    chart = ledger_chart.scatter({"Loss": cells[:2], "Effects": cells[2:], "none": []})
    assert [trace["name"] for trace in chart["data"]] == ["Loss", "Effects"]
    loss = chart["data"][0]
    assert (loss["x"], loss["y"], loss["text"]) == ([1.47213], [1.857], ["d, full"])
    assert loss["error_y"]["array"] == [pytest.approx(0.043)]
    assert loss["error_y"]["arrayminus"] == [pytest.approx(0.057)]
    assert "type" not in chart["layout"]["xaxis"]


def test_axes_are_logarithmic_where_numbers_differ_by_much():
    row = {"dataset": "d", "variant": "", "item": "", "bound": True}
    cells = [
        published_cells.Cell("t", row | {"value": value}, "measured", measured=2 * value) for value in (0.1, 1000.0)
    ]
    assert ledger_chart.scatter({"t": cells})["layout"]["xaxis"]["type"] == "log"


def test_the_page_lists_counts_needs_and_numbers_that_are_far_off(cells):
    lines = ledger_page.page({"toy": paper()}, {"toy": cells}).splitlines()
    link = "[A toy system](../stages/toy/README.md)"
    assert lines[0].startswith(
        "25 published numbers: 2 measured, 19 within reach, 2 out of reach for data, 1 for a GPU."
    )
    assert f"| {link} | 25 | 2 | 19 | 2 | 1 | 1 | 1 | 1 | 0 | 1 | 1 | 1 |" in lines
    assert f"| {link} | 2 | data | {NEEDS} |" in lines
    assert "| Loss table | d, full | 1.47213 | 1.857 (1.8 to 1.9) | small | yes |" in lines
    assert "- 1 number: It has fewer data." in ledger_page.of_system(paper(), cells)
    assert ledger_page.sentence(cells).startswith("Of 25 numbers that the papers print, 2 are measured")
    assert "fewer data" not in ledger_page.of_system(paper(), cells[1:])


def test_a_number_stays_measured_when_the_caption_of_its_table_is_reworded():
    record = paper()
    before = {"row": ["Loss, as it was worded", "d", "full"], "table": "loss", "measured": 1.5, "interval": None}
    other_table = before | {"row": ["Loss table", "d", "mul"], "table": "losses"}
    references = {"real": {"systems": {"toy": {"numbers": [before, other_table]}}}}
    cells = published_cells.cells(content.tables(record, {}), published_cells.of_references(references, "toy"))
    assert by_label(cells)["loss", "d, full"].measured == 1.5
    assert by_label(cells)["loss", "d, mul"].measured is None
