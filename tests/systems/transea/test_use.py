"""A trained graph by names: the nearest tails, numbers in their unit, mistakes, and the command."""

import json
import shutil

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.graphs import knowledge_graph
from repline.graphs.attribute_scaling import scale
from repline.graphs.knowledge_graph import SPLITS, KnowledgeGraph, Numbers, Scale
from repline.pretrained import pretrained
from repline.systems.transea.evaluation import ranks_of
from repline.systems.transea.model import TransEA
from repline.systems.transea.settings import Recipe
from repline.systems.transea.training import train
from repline.training.run import Run

N = 30
YEARS = 1700 + 10 * np.arange(N)


def ring(units=None):
    """Places on a ring with the years of their foundation, and an area that needs a logarithm."""
    indices = np.arange(N)
    triples = np.array([(i, 0, (i + 1) % N) for i in range(N)] + [(i, 1, (i + 2) % N) for i in range(N)])
    values = np.concatenate([YEARS, np.exp(indices / 3)]).astype(float)
    numbers = Numbers(np.tile(indices, 2), np.repeat([0, 1], N), values, np.zeros(2 * N, np.int64))
    graph = KnowledgeGraph(
        [f"place {i}" for i in indices],
        ["next", "second"],
        triples,
        np.zeros(len(triples), np.int64),
        ["founded", "area"],
        numbers,
        units={"area": "km2"},
    )
    scale(graph, np.array([False, True]))
    return graph


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    trained = tmp_path_factory.mktemp("transea") / "trained"
    recipe = Recipe(dimensions=24, epochs=400, batches=4, learning_rate=0.02, alpha=0.5, margin=2.0)
    train(recipe, ring(), Run(trained))
    return shutil.copytree(trained, tmp_path_factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def test_tails_are_those_of_the_distance(model, folder):
    tails = model.predict("place 3", "next", n=N)
    trained = pretrained(TransEA, folder)
    with torch.inference_mode():
        distances = trained(torch.tensor([[3, 0, tail] for tail in range(N)])).numpy()
    order = [tail for tail in np.argsort(distances, kind="stable").tolist() if tail != 3]
    assert [tail.entity for tail in tails] == [f"place {tail}" for tail in order]
    assert [tail.distance for tail in tails] == pytest.approx(distances[order].tolist(), abs=1e-4)
    several = model.predict(["place 3", "place 5"], ["next", "second"], n=2)
    assert several[0] == tails[:2] and len(several) == 2
    assert model.predict([], []) == []


def test_excluded_links_are_no_answers(model):
    graph = ring()
    backwards = KnowledgeGraph(graph.entities[::-1], graph.relations, graph.triples, graph.split)  # ids of its own
    backwards.triples = graph.triples.copy()
    backwards.triples[:, [0, 2]] = N - 1 - graph.triples[:, [0, 2]]
    backwards.entities[0] = "nowhere"  # in place of the last, a name that the model does not know
    unfiltered = model.predict(["place 3", "place 5"], ["next", "second"], n=N)
    filtered = model.predict(["place 3", "place 5"], ["next", "second"], n=N, excluded=backwards)
    for tails, others, link in zip(filtered, unfiltered, ("place 4", "place 7"), strict=True):
        assert tails == [tail for tail in others if tail.entity != link] and len(tails) == N - 2
    assert model.predict("place 28", "next", n=N, excluded=backwards) == model.predict("place 28", "next", n=N)
    with pytest.raises(InputError, match="excluded=read_graph"):
        model.predict("place 3", "next", excluded=[("place 3", "next", "place 4")])


def test_links_of_training_are_found(model):
    heads = [f"place {i}" for i in range(N)]
    answers = model.predict(heads, ["next"] * N, n=5)
    hits = sum(f"place {(i + 1) % N}" in [tail.entity for tail in tails] for i, tails in enumerate(answers))
    assert hits > 0.7 * N


def test_a_year_is_predicted_in_years(model):
    predicted = model.predict_number([f"place {i}" for i in range(N)], ["founded"] * N)
    assert np.abs(np.array(predicted) - YEARS).mean() < 25  # of 290 years
    assert isinstance(model.predict_number("place 0", "founded"), float)
    assert (model.unit("founded"), model.unit("area")) == ("", "km2")
    areas = np.array(model.predict_number([f"place {i}" for i in range(N)], ["area"] * N))
    assert np.corrcoef(np.log1p(areas), np.log1p(np.exp(np.arange(N) / 3)))[0, 1] > 0.9


def test_a_scale_is_undone():
    graph = ring()
    for row, name in enumerate(graph.attributes):
        values = graph.numbers.value[graph.numbers.attribute == row]
        assert (values.min(), values.max()) == (0, 1)
        expected = YEARS if name == "founded" else np.exp(np.arange(N) / 3)
        assert graph.scales[name].original(values) == pytest.approx(expected, rel=1e-12)
    assert Scale(7.0, 7.0).original(np.array([0.3, 1.0])).tolist() == [7, 7]


def test_a_logarithm_of_positive_values_predicts_positive_ones(tmp_path):
    graph = KnowledgeGraph(["a", "b", "c"], ["r"], np.array([[0, 0, 1], [1, 0, 2]]), np.zeros(2, np.int64), ["mass"])
    zeros = np.zeros(3, np.int64)
    graph.numbers = Numbers(np.arange(3), zeros, np.array([0.01, 0.1, 10.0]), zeros)
    scale(graph, np.array([True]), np.array([True]))
    assert graph.numbers.value == pytest.approx([0, 1 / 3, 1])
    assert graph.scales["mass"].original(np.array([-1.0, 0, 1 / 3, 1])) == pytest.approx([1e-5, 0.01, 0.1, 10])
    knowledge_graph.save(tmp_path / "g", graph, description="", licence="", sources=[], parameters={})
    assert knowledge_graph.load(tmp_path / "g").scales == graph.scales
    assert "offset" not in Scale(0.0, 1.0, True).record()


def test_scales_are_kept_with_the_graph(tmp_path):
    graph = ring()
    knowledge_graph.save(tmp_path / "g", graph, description="", licence="", sources=[], parameters={})
    assert knowledge_graph.load(tmp_path / "g").scales == graph.scales


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda model: model.predict("place 33", "next"), "the graph has no entity 'place 33'; did you mean"),
        (lambda model: model.predict("PLACE", "next"), "the graph has no entity 'PLACE'; did you mean 'place "),
        (lambda model: model.predict("22", "next"), "the graph has no entity '22'; did you mean 'place 22'"),
        (lambda model: model.unit(3), "unit takes an attribute"),
        (lambda model: model.predict("", "next"), "the graph has no entity ''; it has 30, such as 'place 0'"),
        (lambda model: model.predict("place 3", "founded"), "the graph has no relation 'founded'"),
        (lambda model: model.predict("place 3", ["next"]), "two names or two lists of one length"),
        (lambda model: model.predict([["place 3"]], ["next"]), "found a value of type list as item 0"),
        (lambda model: model.predict(3, "next"), "found a value of type int"),
        (lambda model: model.predict_number("place 3", "next"), "the graph has no attribute 'next'"),
    ],
)
def test_mistakes_are_named(model, call, message):
    with pytest.raises(InputError, match=message):
        call(model)


def test_names_are_looked_up_as_graphs_are_read(model):
    marked, plain = ('"place 3"', '"next"'), ("place 3", "next")
    assert model.predict(*marked) == model.predict(*plain) and model.unit('"<area>"') == "km2"
    assert model.predict_number('"place 3"', "<founded>") == model.predict_number("place 3", "founded")
    rows = [marked, plain, ('"place 3"', "<area>"), ("place 3", "area"), ("<place 3>", "next"), ("place 3", "<area")]
    answers = model.answers([{"entity": entity, "relation": relation} for entity, relation in rows])
    assert [answer["known"] for answer in answers] == [True] * 4 + [False] * 2
    assert answers[0] == answers[1] and answers[2] == answers[3]


def test_the_command(model):
    rows = [("place 3", "next"), ("place 3", "founded"), ("place 3", "area"), ("", "next"), ("地方", "x")]
    answers = model.answers([{"entity": entity, "relation": relation} for entity, relation in rows])
    assert [answer["known"] for answer in answers] == [True, True, True, False, False]
    assert [tail[0] for tail in answers[0]["tails"]] == [tail.entity for tail in model.predict("place 3", "next", 5)]
    assert answers[1]["number"] == pytest.approx(model.predict_number("place 3", "founded"), rel=1e-5)
    assert answers[2]["unit"] == "km2" and answers[2]["tails"] is None
    assert answers[3] == answers[4] == {"known": False, "tails": None, "number": None, "unit": None}
    json.dumps(answers, allow_nan=False)
    (spaced,) = model.answers([{"entity": " place 3 ", "relation": "next\t"}])
    assert spaced == answers[0] and model.predict(" place 3", "next ") == model.predict("place 3", "next")


def test_a_model_without_numbers_predicts_none(tmp_path):
    train(Recipe(dimensions=4, epochs=1, alpha=0.0), ring(), Run(tmp_path / "transe"))
    model = repline.load(tmp_path / "transe")
    with pytest.raises(InputError, match="trained without numbers"):
        model.predict_number("place 0", "founded")
    with pytest.raises(InputError, match=r"^the graph has no attributes$"):
        model.unit("founded")


def test_names_of_another_model_are_refused(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    names = json.loads((copy / "raw_input.json").read_text())
    (copy / "raw_input.json").write_text(json.dumps(names | {"entities": names["entities"][1:]}))
    with pytest.raises(InputError, match="its names are not those of its vectors"):
        repline.load(copy)


def test_measures_of_test_triples_by_names(model, folder):
    """Ranks equal those of the evaluation for a graph whose names come in another order."""
    graph = ring()
    graph.split[::7] = SPLITS.index("test")
    ranks = np.concatenate([side.rank() for side in ranks_of(pretrained(TransEA, folder), graph, "test").values()])
    order = np.random.default_rng(0).permutation(N)
    other = KnowledgeGraph(
        [graph.entities[row] for row in order] + ["elsewhere"],
        ["second", "next"],
        np.stack(
            [np.argsort(order)[graph.triples[:, 0]], 1 - graph.triples[:, 1], np.argsort(order)[graph.triples[:, 2]]], 1
        ),
        graph.split,
    )
    other.triples = np.concatenate([other.triples, [[N, 0, 0]]])
    other.split = np.append(other.split, SPLITS.index("test"))
    measures, count = model.link_measures(other)
    assert count == (graph.split == SPLITS.index("test")).sum()
    assert measures["mr"] == pytest.approx(ranks.mean()) and measures["mrr"] == pytest.approx((1 / ranks).mean())
    assert measures["hits_10"] == pytest.approx((ranks <= 10).mean())
    with pytest.raises(InputError, match=r"the graph has no test triples; name them test\.tsv"):
        model.link_measures(ring())
    other.entities = [f"{name} elsewhere" for name in other.entities]
    with pytest.raises(InputError, match="no test triple of the graph has an entity and a relation that the model"):
        model.link_measures(other)


def test_the_command_measures_a_folder(folder, tmp_path):
    lines = [f"place {i}\tnext\tplace {(i + 1) % N}\n" for i in range(N)]
    (tmp_path / "train.tsv").write_text("".join(lines[:20]))
    (tmp_path / "test.tsv").write_text("".join([*lines[20:], "nowhere\tnext\tplace 1\n"]))
    command = ["evaluate", "graph", str(folder), str(tmp_path), "--json", str(tmp_path / "measures.json")]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    assert result.exit_code == 0 and result.stdout.startswith("test triples  10 of 11\nmean rank")
    assert result.stderr == f"{tmp_path}: 1 test triple is not judged: the model does not know a name in it\n"
    measures = json.loads((tmp_path / "measures.json").read_text())
    assert (measures["triples"], measures["test_triples"]) == (10, 11)
    (tmp_path / "train.tsv").write_text("".join(lines[:22]))
    for arguments in ([str(folder), str(tmp_path)], [str(tmp_path), "--compare", str(folder), str(folder) + "/."]):
        result = CliRunner().invoke(app, ["evaluate", "graph", *arguments], catch_exceptions=False)
        assert "2 repeated triples were left out" in result.stderr
        assert "2 test triples are not judged: train or valid has them, too" in result.stderr
        assert ("8 shared items of 11" if "--compare" in arguments else "8 of 11") in result.stdout
    (tmp_path / "train.tsv").write_text("".join(lines[:21]))
    result = CliRunner().invoke(app, ["evaluate", "graph", str(folder), str(tmp_path)], catch_exceptions=False)
    assert "1 test triple is not judged: train or valid has it, too" in result.stderr
    with pytest.raises(InputError, match=r"train\.tsv: this is a file; name the folder of the graph"):
        CliRunner().invoke(app, ["evaluate", "graph", str(folder), str(tmp_path / "train.tsv")], catch_exceptions=False)
    (tmp_path / "train.tsv").write_text("".join([*lines, "nowhere\tnext\tplace 1\n"]))
    with pytest.raises(InputError, match="train or valid has all test triples, too"):
        CliRunner().invoke(app, ["evaluate", "graph", str(folder), str(tmp_path)], catch_exceptions=False)
    (tmp_path / "test.tsv").unlink()
    for arguments in ([str(folder), str(tmp_path)], [str(tmp_path), "--compare", str(folder), str(folder) + "/."]):
        with pytest.raises(InputError, match="the graph has no test triples"):
            CliRunner().invoke(app, ["evaluate", "graph", *arguments], catch_exceptions=False)


def test_wrong_lines_of_a_graph_are_left_out_where_that_is_asked_for(folder, tmp_path):
    (tmp_path / "train.tsv").write_text("place 1\tnext\tplace 2\nplace 2\tnext\n", encoding="utf-8")
    (tmp_path / "test.tsv").write_text("place 2\tnext\tplace 3\nplace 3\tnext\tplace 4\tmore\n", encoding="utf-8")
    command = ["evaluate", "graph", str(folder), str(tmp_path)]
    with pytest.raises(InputError, match=r"train\.tsv, line 2: expected head, relation, tail"):
        CliRunner().invoke(app, command, catch_exceptions=False)
    result = CliRunner().invoke(app, [*command, "--on-error", "salvage"], catch_exceptions=False)
    assert "test triples  1 of 1" in result.stdout and "salvaged: 2 wrong records left out" in result.stderr


def test_ranks_of_each_test_triple_are_those_of_the_measures(model):
    graph = ring()
    graph.split[::7] = SPLITS.index("test")
    ranks = model.link_ranks(graph, set(model.entities))
    measures, count = model.link_measures(graph)
    assert ranks.shape == (count, 2) and ranks.mean() == pytest.approx(measures["mr"])
    fewer = model.link_ranks(graph, {f"place {i}" for i in range(20)})
    inside = (graph.triples[graph.split == SPLITS.index("test")][:, [0, 2]] < 20).all(axis=1)
    assert (np.isfinite(fewer).all(axis=1) == inside).all() and inside.any() and not inside.all()
    assert (fewer[inside] <= ranks[inside]).all()


def test_the_command_compares_models_on_the_triples_that_both_know(folder, tmp_path):
    """A trained model is above an untrained one, which lacks a place."""
    graph = ring()
    smaller = KnowledgeGraph(graph.entities[:-1], graph.relations, *inner_links(graph), graph.attributes[:0])
    train(
        Recipe(dimensions=24, epochs=1, batches=4, learning_rate=1e-6, alpha=0.0, margin=2.0),
        smaller,
        Run(tmp_path / "m"),
    )
    lines = [f"place {i}\tnext\tplace {(i + 1) % N}\n" for i in range(N)]
    (tmp_path / "g").mkdir()
    (tmp_path / "g/train.tsv").write_text("".join(lines[:2]))
    (tmp_path / "g/test.tsv").write_text("".join(lines[2:]))
    arguments = ["evaluate", "graph", str(tmp_path / "g"), "--compare", str(folder), str(tmp_path / "m")]
    result = CliRunner().invoke(app, [*arguments, "--json", str(tmp_path / "board.json")], catch_exceptions=False)
    assert result.exit_code == 0
    board = json.loads((tmp_path / "board.json").read_text())
    for test in board["tests"]:
        assert (test["items"], test["shared"]) == (N - 2, N - 4)
        assert test["differences"][0]["difference"] >= 0
        assert sorted(row["answered"] for row in test["standings"]) == [N - 4, N - 2]
    assert board["tests"][0]["measure"] == "mean reciprocal rank"
    assert board["tests"][0]["differences"][0]["verdict"] == "holds"


def inner_links(graph):
    """The links of a graph without its last entity, and their splits."""
    inner = (graph.triples[:, [0, 2]] < N - 1).all(axis=1)
    return graph.triples[inner], graph.split[inner]
