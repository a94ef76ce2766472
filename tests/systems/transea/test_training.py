"""Training on a synthetic graph: alpha = 0 is TransE bit for bit, lengths, corruption, controls, what is learnt."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.replication import weighted_draws
from repline.graphs.filtered_ranking import SIDES
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers
from repline.systems.transea import evaluation
from repline.systems.transea.gradients import Tables
from repline.systems.transea.ranking import ranks_of, validation_mean_rank
from repline.systems.transea.settings import Recipe, load
from repline.systems.transea.training import Corruption, best_check, choose, fitted, train
from repline.training.run import Run

KNOBS = {
    "dimensions": 12,
    "norm": "L1",
    "attribute_norm": "L1",
    "margin": 2.0,
    "learning_rate": 0.02,
    "alpha": 0.3,
    "epochs": 5,
    "batches": 4,
    "passes": 1,
    "relation_mean": None,
    "attribute_mean": 10.0,
    "unit_length": ["entities", "relations", "attributes"],
    "corruption": "uniform",
    "avoid_known": False,
    "numbers": "given",
}


def ring(n=40):
    """Everybody's neighbour and next but one, on a ring; numbers by place; some triples held out."""
    triples = [(i, 0, (i + 1) % n) for i in range(n)] + [(i, 1, (i + 2) % n) for i in range(n)]
    split = np.zeros(2 * n, dtype=np.int64)
    split[3::9] = 2
    split[5::18] = 1
    position = np.arange(n)
    numbers = Numbers(position, np.zeros(n, np.int64), position / (n - 1), np.where(position % 8 == 3, 2, 0))
    return KnowledgeGraph([str(i) for i in range(n)], ["next", "second"], np.array(triples), split, ["place"], numbers)


def recipe(**changed):
    return Recipe(**KNOBS | changed)


def trained(seed=0, graph=None, **changed):
    model, history = fitted(recipe(**changed), graph or ring(), seed)
    return model.tables(), history


def same(first, second, names):
    return [bool((first[name] == second[name]).all()) for name in names]


def test_the_same_seed_gives_the_same_bits_and_another_does_not():
    first, again, other_seed = (trained(seed)[0] for seed in (0, 0, 1))
    assert all(same(first, again, first)) and not any(same(first, other_seed, ("entities", "relations", "attributes")))


def test_alpha_zero_is_transe_bit_for_bit():
    without = ring()
    without.attributes, without.numbers = [], Numbers()
    plain, zero = trained(alpha=0.0, graph=without)[0], trained(alpha=0.0)[0]
    assert all(same(plain, zero, ("entities", "relations"))) and not len(zero["biases"])
    assert not any(same(plain, trained(alpha=0.3)[0], ("entities", "relations")))


def test_alpha_one_leaves_relations_as_they_were():
    first = trained(alpha=1.0, unit_length=["entities"], epochs=1)[0]
    later = trained(alpha=1.0, unit_length=["entities"], epochs=6)[0]
    assert same(first, later, ("relations", "entities")) == [True, False]


def test_training_stops_by_the_validation_triples_and_keeps_the_best_vectors():
    graph = ring()
    model, history = fitted(recipe(epochs=200, check_every=5, patience=2), graph)
    checks = [record for record in history if "validation_mean_rank" in record]
    best = best_check(history)
    assert history[-1]["epoch"] == best["epoch"] + 2 * 5 < 200 and len(checks) == history[-1]["epoch"] / 5
    tables = Tables(**model.tables())
    assert validation_mean_rank(tables, graph, "L1") == best["validation_mean_rank"]
    again, _ = fitted(recipe(epochs=int(best["epoch"])), graph)
    assert all(same(model.tables(), again.tables(), ("entities", "relations", "attributes")))


def test_the_test_triples_have_no_part_in_the_choice():
    graph, other = ring(), ring()
    other.triples = other.triples.copy()
    other.triples[other.split == 2] = other.triples[other.split == 2][:, [2, 1, 0]]
    tables = Tables(**fitted(recipe(), graph)[0].tables())
    assert validation_mean_rank(tables, graph, "L1") == validation_mean_rank(tables, other, "L1")


def test_the_rate_with_the_lowest_mean_rank_of_validation_is_chosen():
    grid = {"learning_rate": [1e-6, 0.02], "alpha": [0.3, 0.6]}
    chosen, tried, (seed, model, history) = choose(recipe(epochs=40, check_every=10, grid=grid), ring(), 0)
    assert [(row.learning_rate, row.alpha) for row in tried] == [(1e-6, 0.3), (1e-6, 0.6), (0.02, 0.3), (0.02, 0.6)]
    best = min(tried, key=lambda row: row.mean_rank)
    assert (chosen.learning_rate, chosen.alpha) == (best.learning_rate, best.alpha) and chosen.learning_rate == 0.02
    again, history_again = fitted(chosen, ring(), seed)
    assert history == history_again and all(same(model.tables(), again.tables(), ("entities", "relations")))
    assert choose(recipe(), ring(), 0) == (recipe(), [], None)
    with pytest.raises(InputError, match="check_every is null; set it, or give the variant a learning_rate"):
        choose(recipe(grid=grid), ring(), 0)
    unheld = ring()
    unheld.split[unheld.split == 1] = 0
    with pytest.raises(InputError, match="the graph has none; hold out more, or give the variant a learning_rate"):
        choose(recipe(check_every=10, grid=grid), unheld, 0)


@pytest.mark.parametrize("norm", ["L1", "L2", "squared"])
def test_lengths_are_one_after_training(norm):
    tables, _ = trained(norm=norm)
    for name in KNOBS["unit_length"]:
        assert np.linalg.norm(tables[name].astype(float), axis=1) == pytest.approx(1, abs=1e-6)
    free, _ = trained(norm=norm, unit_length=["entities"])
    assert np.linalg.norm(free["entities"].astype(float), axis=1) == pytest.approx(1, abs=1e-6)
    assert np.abs(np.linalg.norm(free["relations"], axis=1) - 1).max() > 1e-3


def test_numbers_are_learnt_and_shuffled_ones_are_not():
    graph, errors = ring(), {}
    for numbers in ("given", "shuffled", "zero"):
        model, history = fitted(recipe(numbers=numbers, epochs=60), graph)
        errors[numbers] = evaluation.errors(model, graph.numbers.of("train")).mean()
        assert history[-1]["attribute_loss"] < history[0]["attribute_loss"]
    assert errors["given"] < 0.5 * min(
        errors["shuffled"], errors["zero"], evaluation.median_errors(graph, "train").mean()
    )


def test_links_are_learnt():
    graph = ring()
    weights = weighted_draws.weights_of(len(graph.of("test")), replicates=3)
    ranks = []
    for epochs in (1, 80):
        model, _ = fitted(recipe(epochs=epochs, alpha=0.0), graph)
        measures = evaluation.link_prediction(ranks_of(model, graph, "test"), graph, weights)
        ranks.append(measures["filtered"]["all"]["mr"][0])
    assert ranks[1] < 0.6 * ranks[0]


def test_numbers_of_several_seeds_and_replicates():
    graph = ring()
    weights = weighted_draws.weights_of(len(graph.of("test")), replicates=3)
    runs = []
    for seed in (0, 1):
        model, _ = fitted(recipe(), graph, seed)
        runs.append(evaluation.link_prediction(ranks_of(model, graph, "test"), graph, weights))
    means = weighted_draws.numbers(runs)
    by_seed = [run["filtered"]["head"]["mr"][0] for run in runs]
    assert means["filtered"]["head"]["mr"] == pytest.approx(np.mean(by_seed))
    assert means["categories"]["N-N"]["head"]["mr"] is None  # there are none
    repeated = weighted_draws.replicates(runs)
    assert len(repeated) == 3
    for part in repeated:
        sides = part["filtered"]
        assert sides["all"]["mr"] == pytest.approx((sides["head"]["mr"] + sides["tail"]["mr"]) / 2)


def test_a_graph_without_numbers_is_trained_and_has_no_errors():
    graph = ring()
    graph.attributes, graph.numbers = [], Numbers()
    model, history = fitted(recipe(), graph)
    assert not len(model.biases) and {epoch["attribute_loss"] for epoch in history} == {0.0}
    assert len(evaluation.median_errors(graph, "test")) == 0
    assert weighted_draws.weights_of(0, replicates=2).shape == (3, 0)


def test_a_diverged_training_says_so():
    with pytest.raises(FloatingPointError, match="diverged"):
        trained(norm="squared", unit_length=[], learning_rate=1e6, epochs=30)


def test_a_corruption_changes_one_end():
    triples = ring().triples
    random = np.random.default_rng(0)
    draw = Corruption(triples, 40)
    for _ in range(20):
        corrupted = draw(triples, random)
        changed = corrupted != triples
        assert not changed[:, 1].any() and (changed.sum(1) <= 1).all()
    assert 0.3 < changed[:, 0].mean() / changed.any(1).mean() < 0.7


def test_bernoulli_replaces_the_end_that_has_fewer_answers():
    triples = np.array([(0, 0, tail) for tail in range(1, 10)])  # nine tails a head
    share = Corruption(triples, 10, "bernoulli").tail_share[0]
    assert share == pytest.approx(1 / 10)  # hpt / (hpt + tph)
    assert Corruption(triples, 10).tail_share[0] == 0.5


def test_known_triples_are_avoided():
    triples = np.array([(head, 0, tail) for head in range(5) for tail in range(5) if (head, tail) != (2, 3)])
    random = np.random.default_rng(0)
    true_triples = {tuple(triple) for triple in triples.tolist()}
    free = [0, 0]
    for index, avoid in enumerate((False, True)):
        draw = Corruption(triples, 5, avoid_known=avoid)
        for _ in range(30):
            free[index] += sum(tuple(triple) not in true_triples for triple in draw(triples, random).tolist())
    assert free[1] > 3 * free[0] > 0


def values(**changed):
    section = {"seeds": [0, 1], "training": KNOBS, "variants": {"transe": {"alpha": 0.0}, "transea": {}}}
    section |= {"graphs": {"mine": {"training": {"epochs": 7}}}}
    trainings = {f"mine_{variant}": {"graph": "mine", "variant": variant} for variant in section["variants"]}
    return {"transea": section | {"trainings": trainings} | changed}


def test_settings_are_laid_over_each_other():
    graphs = {"mine": {"seeds": [4], "training": {"epochs": 7, "margin": 3.0}}, "other": {}}
    variants = {"transe": {"alpha": 0.0}, "transea": {"epochs": 9}}
    trainings = {"first": ("mine", "transe"), "second": ("mine", "transea"), "third": ("other", "transe")}
    trainings = {name: {"graph": graph, "variant": variant} for name, (graph, variant) in trainings.items()}
    settings = load(values(graphs=graphs, variants=variants, trainings=trainings))
    recipes = [settings.recipe_for(training) for training in settings.trainings.values()]
    assert [recipe.epochs for recipe in recipes] == [7, 9, 5]
    assert [recipe.alpha for recipe in recipes] == [0.0, 0.3, 0.0]
    assert [recipe.margin for recipe in recipes] == [3.0, 3.0, 2.0]
    assert settings.seeds_for("mine") == [4] and settings.seeds_for("other") == [0, 1]
    assert settings.variants_on("mine") == ["transe", "transea"] and settings.variants_on("other") == ["transe"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"variants": {"transea": {"alfa": 0.1}}}, "'transea.variants.transea.alfa'; did you mean 'alpha'?"),
        ({"variants": {"transea": {"alpha": 1.5}}}, "alpha should be less than or equal to 1, found 1.5"),
        ({"variants": {"a-b": {}}}, "a name should be a word like without_attention, found 'a-b'"),
        ({"graphs": {"other": {}}}, "trainings.mine_transe: there is no graph 'mine'"),
        ({"variants": {"transe": {}}}, "trainings.mine_transea: there is no variant 'transea'; did you mean 'transe'?"),
        (
            {"graphs": {"mine": {"training": {"numbers": "made"}}}},
            "transea.graphs.mine.training.numbers should be 'given', 'shuffled' or 'zero'",
        ),
    ],
)
def test_mistakes_in_the_parameters_are_named(changed, message):
    with pytest.raises(InputError) as error:
        load(values(**changed))
    assert message in str(error.value)


def test_a_model_is_evaluated_from_its_folder(tmp_path):
    runs = [Run(tmp_path / f"seed-{seed}", seed=seed) for seed in (0, 1)]
    for run in runs:
        train(recipe(), ring(), run)
    result = evaluation.evaluate(ring(), {"transea": [run.folder for run in runs]})
    assert result.metrics["transea"]["seeds"] == 2 and len(result.details["relations"]["next"]["transea"]) == 2
    assert result.metrics["transea"]["valid"]["mr"] >= 1 and result.metrics["graph"]["triples"] == 80
    assert {"medians", "transea"} == result.replicates[0].keys()


def test_both_sides_are_ranked():
    model, _ = fitted(recipe(), ring())
    assert list(ranks_of(model, ring(), "test")) == list(SIDES)
