"""HCAN and its peers classify raw texts from a copied folder."""

import pytest

from repline.evaluation.classification import recipes
from repline.systems.hcan import settings
from repline.systems.hcan.training import train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.document_classifiers import check, split_texts

RECIPE = settings.Recipe(
    dimensions=8, sentences=3, length=12, minimum_count=1, epochs=12, learning_rate=0.02, batch=6, features=8, heads=2,
    hardware=CPU,
)  # fmt: skip


@pytest.mark.parametrize(
    ("network", "splitting"),
    [
        (settings.HCAN(kind="hcan", dropout=0.0), "marks"),
        (recipes.HAN(kind="han", units=6, hidden=6, dropout=0.0), "marks"),
        (recipes.TextCNN(kind="cnn", filters=20, dropout=0.0), "whole"),
    ],
)
def test_a_copied_folder_classifies_raw_texts(tmp_path, network, splitting):
    train(RECIPE, network, split_texts(splitting), Run(tmp_path / "model", scratch=tmp_path / "scratch"))
    check(tmp_path / "model", tmp_path, splitting)
