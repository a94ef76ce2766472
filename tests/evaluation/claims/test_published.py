import copy

import pytest

from repline.errors import InputError
from repline.evaluation.claims import published

PUBLISHED = {
    "system": {
        "title": "A system",
        "summary": "What it is.",
        "headline": {"label": "accuracy", "comparator": "chance", "claim": "one", "format": ".1%"},
        "corpora": ["dyck"],
        "parameters": ["urn"],
    },
    "paper": {
        "title": "A paper",
        "authors": "A. Author",
        "venue": "A venue",
        "year": 2022,
        "url": "https://example.org/",
    },
    "tables": [
        {
            "id": "loss",
            "caption": "Loss",
            "metric": "cross-entropy",
            "better": "lower",
            "rows": [
                {"dataset": "dyck", "variant": "full", "item": "", "value": 1.5, "measured": "full.loss"},
                {"dataset": "dyck", "variant": "mul", "item": "", "value": 2, "measured": "mul.loss"},
                {"dataset": "dyck", "variant": "lstm", "item": "", "value": 3.25},
            ],
        }
    ],
    "statements": [{"where": "Figure 3", "text": "It does not fall.", "claims": ["one"]}],
}


def changed(path, value):
    """PUBLISHED with the value at a path of keys; a missing last key is added, None as value removes it."""
    result = copy.deepcopy(PUBLISHED)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return result


def test_a_sound_record_passes():
    sound = published.validate(copy.deepcopy(PUBLISHED))
    assert sound.model_dump(exclude_none=True, exclude_unset=True) == PUBLISHED


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["papers"], {}, "unknown key 'papers'; did you mean 'paper'"),
        (["system"], None, "system is missing"),
        (["system", "sumary"], "x", "unknown key 'sumary'; did you mean 'summary'"),
        (["system", "corpora"], "dyck", "corpora should be a list"),
        (["system", "headline", "format"], ".x", "format should be like"),
        (["system", "headline", "model"], "open('x')", "not allowed"),
        (["paper", "url"], "javascript:alert(1)", "http or https"),
        (["paper", "year"], None, "year is missing"),
        (["tables"], {}, "tables should be a list"),
        (["tables", 0, "better"], "smaller", "better 'smaller'"),
        (["tables", 0, "rows", 0, "value"], "1.5", "value should be a number"),
        (["tables", 0, "rows", 0, "value"], True, "value should be a number"),
        (["tables", 0, "rows", 0, "item"], True, "item should be text"),
        (["tables", 0, "rows", 0, "column"], "x", "row 2 has no column"),
        (["tables", 0, "rows", 1, "measured"], "full.loss ** 2", "table 'loss': row 2.*not allowed"),
        (["tables", 0, "rows", 1, "mesured"], "full.loss", "table 'loss': row 2.*did you mean 'measured'"),
        (["tables", 0, "unit"], "nats", "table 1: unknown key 'unit'"),
        (["statements", 0, "claim"], ["one"], "did you mean 'claims'"),
    ],
)
def test_an_unsound_record_names_the_place(path, value, message):
    with pytest.raises(InputError, match=message):
        published.validate(changed(path, value), "published.yaml")


def test_a_table_id_is_unique():
    twice = copy.deepcopy(PUBLISHED)
    twice["tables"] *= 2
    with pytest.raises(InputError, match="'loss' is there twice"):
        published.validate(twice)


def test_compare_sets_measured_and_difference():
    table = published.validate(PUBLISHED).tables[0]
    rows = published.compare(table, {"full": {"loss": 1.75}, "mul": {"loss": None}})
    assert [(row.value, row.measured, row.difference) for row in rows] == [
        (1.5, 1.75, 0.25),
        (2, None, None),
        (3.25, None, None),
    ]


def test_what_is_merely_alike_stands_apart():
    changed = copy.deepcopy(PUBLISHED)
    rows = changed["tables"][0]["rows"]
    del rows[0]["measured"]
    rows[0] |= {"related": "full.loss", "related_data": "another corpus"}
    rows[1] |= {"n": "full.items"}
    metrics = {"full": {"loss": 1.75, "items": 40}, "mul": {"loss": 2.5}}
    first, second, _ = published.compare(published.validate(changed).tables[0], metrics)
    assert (first.measured, first.difference, first.related, first.related_data) == (None, None, 1.75, "another corpus")
    assert (second.measured, second.n, second.related) == (2.5, 40, None)
    assert published.compare(published.validate(changed).tables[0], {})[0].related_data is None


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"related": "full.loss", "related_data": "another corpus"}, "give one"),
        ({"measured": None, "related": "full.loss"}, "related needs related_data"),
        ({"related_data": "another corpus"}, "related needs related_data"),
        ({"n": "len("}, "n"),
    ],
)
def test_a_related_number_names_its_data(row, message):
    changed = copy.deepcopy(PUBLISHED)
    changed["tables"][0]["rows"][0] |= row
    with pytest.raises(InputError, match=message):
        published.validate(changed)
