"""The networks of complex_embedding and a peer classify raw texts from a copied folder."""

import pytest

from repline.evaluation.classification import recipes
from repline.systems.complex_embedding import settings
from repline.systems.complex_embedding.training import train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.document_classifiers import check, split_texts

RECIPE = recipes.Recipe(
    dimensions=6, sentences=3, length=12, minimum_count=1, epochs=12, learning_rate=0.05, batch=6, hardware=CPU
)


@pytest.mark.parametrize(
    ("network", "splitting"),
    [
        (settings.ComplexEmbedding(kind="complex"), "marks"),
        (settings.ComplexEmbedding(kind="complex", sentence="superposition", readout="born"), "whole"),
        (settings.RealEmbedding(kind="real", wide=2), "whole"),
        (recipes.TextCNN(kind="cnn", filters=20, dropout=0.0), "whole"),
    ],
)
def test_a_copied_folder_classifies_raw_texts(tmp_path, network, splitting):
    train(RECIPE, network, split_texts(splitting), Run(tmp_path / "model", scratch=tmp_path / "scratch"))
    check(tmp_path / "model", tmp_path, splitting)
