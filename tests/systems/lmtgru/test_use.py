"""CNN-LMTGRU and its peers classify raw texts from a copied folder."""

import pytest

from repline.evaluation.classification import recipes
from repline.systems.lmtgru import settings
from repline.systems.lmtgru.folds import fold_of
from repline.systems.lmtgru.training import train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.document_classifiers import check, split_texts

RECIPE = settings.Recipe(
    dimensions=8, sentences=1, length=12, minimum_count=1, epochs=15, learning_rate=0.02, batch=6, beta2=0.9, units=8,
    filters=6, hardware=CPU,
)  # fmt: skip


@pytest.mark.parametrize(
    "network",
    [
        settings.CNNLMTGRU(kind="lmtgru", dropout=0.0, pool=2),
        settings.CNNLMTGRU(kind="lmtgru", dropout=0.0, convolution=False, cell="lstm"),
        recipes.RecurrentClassifier(kind="gru", units=6, dropout=0.0),
    ],
)
def test_a_copied_folder_classifies_raw_texts(tmp_path, network):
    train(RECIPE, network, split_texts("whole"), Run(tmp_path / "model", scratch=tmp_path / "scratch"))
    check(tmp_path / "model", tmp_path, "whole")


def test_a_fold_keeps_how_its_texts_were_split():
    assert fold_of(split_texts("whole"), 0, 3).splitting == "whole"
