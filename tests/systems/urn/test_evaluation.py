"""A training and its evaluation in the library, on folders of one's own."""

import json

import pytest

from repline.errors import InputError
from repline.systems.urn import dyck
from repline.systems.urn.evaluation import evaluate_dyck
from repline.systems.urn.settings import DyckCorpus, DyckRecipe
from repline.systems.urn.training import train_dyck
from repline.training.recipes import CPU
from repline.training.run import Run

RECIPE = {"n": 4, "dropout": 0.0, "learning_rate": 0.01, "epochs": 2, "batch": 16, "hardware": CPU}


def test_variants_are_trained_and_measured(tmp_path):
    corpus = DyckCorpus(pairs=4, train_depth=2, train_strings=40, test_strings=20, seed=1)
    dyck.generate(tmp_path / "dyck", corpus)
    train, test = (dyck.read(tmp_path / "dyck", part) for part in ("train", "test"))
    variants = {
        "turn": DyckRecipe(model="turn", k=2, **RECIPE),
        "other": DyckRecipe(model="arbitrary", **RECIPE),
    }
    models = {variant: [tmp_path / variant / f"seed-{seed}" for seed in (0, 1)] for variant in variants}
    for variant, recipe in variants.items():
        for seed, folder in enumerate(models[variant]):
            train_dyck(recipe, train, Run(folder, seed=seed, scratch=tmp_path / "scratch"))
    record = json.loads((models["other"][1] / "training.json").read_text())["settings"]
    assert (record["task"], record["model"], record["seed"]) == ("dyck", "arbitrary", 1)
    evaluation = evaluate_dyck(variants, models, train, test)
    assert list(evaluation.metrics) == ["turn", "other", "majority"]
    assert evaluation.metrics["turn"]["seeds"] == 2 and 0 <= evaluation.metrics["turn"]["accuracy"] <= 1
    assert "validation_loss" in evaluation.replicates[0]["other"] and "pair_effect" in evaluation.metrics["turn"]
    untrained = evaluation.metrics["turn"]["untrained"]
    assert untrained["single_effect"] > 0 and untrained != {
        name: evaluation.metrics["turn"][name] for name in untrained
    }
    assert evaluate_dyck(variants, models, train, test).metrics["turn"]["untrained"] == untrained
    with pytest.raises(InputError, match="was trained with epochs 2"):
        evaluate_dyck(variants | {"turn": DyckRecipe(model="turn", k=2, **RECIPE | {"epochs": 3})}, models, train, test)
