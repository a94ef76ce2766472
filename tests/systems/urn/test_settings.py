"""The section `urn` of params.yaml: each variant gets its own knobs, and a mistake is one sentence."""

import pytest

from repline import parameters
from repline.errors import InputError
from repline.systems.urn.settings import load


def test_every_variant_gets_its_own_values():
    settings = load()
    dyck, agreement = settings.dyck.variants, settings.agreement.variants
    assert (list(dyck), list(agreement)) == (["turn", "arbitrary"], ["turn", "lstm"])
    section = parameters.read()["urn"]
    assert settings.seeds == section["seeds"]
    assert (dyck["turn"].model, dyck["turn"].k, dyck["arbitrary"].k) == ("turn", 3, None)
    assert (agreement["turn"].k, agreement["lstm"].k, agreement["lstm"].model) == (3, None, "lstm")
    assert {recipe.epochs for recipe in dyck.values()} == {section["dyck"]["epochs"]}


def test_matrices_of_two_kinds_are_compared_at_one_learning_rate():
    dyck = load(parameters.merge(parameters.read(), parameters.read("profiles/real.yaml"))).dyck.variants
    for rate, pair in ((0.01, ("full_paper_rate", "arbitrary")), (0.001, ("full", "arbitrary_code_rate"))):
        assert [dyck[name].model for name in pair] == ["full", "arbitrary"]
        assert {dyck[name].learning_rate for name in pair} == {rate}
    assert (dyck["turn_code_rate"].model, dyck["turn_code_rate"].learning_rate) == ("turn", 0.001)


@pytest.mark.parametrize(
    ("typed", "value", "message"),
    [
        ("dyk", {}, "unknown parameter 'urn.dyk'; did you mean 'dyck'?"),
        ("seeds", [], "urn.seeds should have at least 1 item, found []"),
        ("seeds", [0, -1], "urn.seeds[1] should be greater than or equal to 0, found -1"),
        ("dyck.epoch", 3, "unknown parameter 'urn.dyck.epoch'; did you mean 'epochs'?"),
        ("dyck.batch", "many", "urn.dyck.batch should be a valid integer, found 'many'"),
        (
            "dyck.variants.ltsm",
            {},
            "urn.dyck.variants.ltsm.model should be 'turn', 'full', 'arbitrary' or 'lstm', found 'ltsm'",
        ),
        ("dyck.variants", {}, "urn.dyck.variants: expected a variant `turn`, whose matrices the evaluation inspects"),
        (
            "dyck.variants.arbitrary.unit",
            3,
            "unknown parameter 'urn.dyck.variants.arbitrary.unit'; did you mean 'units'?",
        ),
        ("dyck.variants.turn.k", 0.5, "urn.dyck.variants.turn.k should be a valid integer, found 0.5"),
        ("dyck.n", -1, "urn.dyck.n should be greater than or equal to 2, found -1"),
        ("dyck.variants.turn.k", 60, "urn.dyck.variants.turn: k should be at most n, which is 50, found 60"),
        ("dyck.dropout", 1, "urn.dyck.dropout should be less than 1, found 1"),
        (
            "corpora.dyck.train_depth",
            11,
            "urn.corpora.dyck: train_depth: 10 pairs can reach a depth of 1 to 10, found 11",
        ),
        ("corpora.dyck.train_depth", 0, "urn.corpora.dyck.train_depth should be greater than or equal to 1, found 0"),
        ("corpora.dyck.pairs", 0, "urn.corpora.dyck.pairs should be greater than or equal to 1, found 0"),
        ("corpora.dyck.pairs", 128, "urn.corpora.dyck.pairs should be less than or equal to 127, found 128"),
        (
            "corpora.dyck.train_strings",
            0,
            "urn.corpora.dyck.train_strings should be greater than or equal to 1, found 0",
        ),
        (
            "corpora.dyck.test_strings",
            -1,
            "urn.corpora.dyck.test_strings should be greater than or equal to 1, found -1",
        ),
        ("corpora.dyck.seed", -1, "urn.corpora.dyck.seed should be greater than or equal to 0, found -1"),
        (
            "corpora.agreement.minimum_count",
            0,
            "urn.corpora.agreement.minimum_count should be greater than or equal to 1, found 0",
        ),
        (
            "corpora.agreement.maximum_tokens",
            1,
            "urn.corpora.agreement.maximum_tokens should be greater than or equal to 2, found 1",
        ),
        ("corpora.agreement.test_share", 0.0, "urn.corpora.agreement.test_share should be greater than 0, found 0.0"),
        ("corpora.agreement.test_share", 1.0, "urn.corpora.agreement.test_share should be less than 1, found 1.0"),
        ("dyck.variants.turn.k", 0, "urn.dyck.variants.turn.k should be greater than or equal to 1, found 0"),
    ],
)
def test_a_mistake_is_one_sentence(typed, value, message):
    values = parameters.read()
    *sections, name = f"urn.{typed}".split(".")
    parameters.section(values, ".".join(sections))[name] = value
    with pytest.raises(InputError) as error:
        load(values)
    assert str(error.value) == f"params.yaml: {message}"
