"""The spread of attention by hand, epochs until learned, and the page: escaped, cut as the network reads."""

import json

import numpy as np
import pytest
import torch

from repline.corpora.labelled.classified_texts import Text, as_texts
from repline.errors import InputError
from repline.evaluation.classification.scored_runs import counts
from repline.layers.document_network import Readout
from repline.pretrained import save_model
from repline.systems.hcan import settings
from repline.systems.hcan.attention_page import page, shaded
from repline.systems.hcan.evaluation import of_attention, of_network, of_spread, untrained_copy, word_spread
from repline.systems.hcan.model import HCAN
from tests.evaluation.classification.test_networks import defaults_of_both

TEXTS = as_texts(
    [
        Text(f"{label}{part}", label, [["some", "words", label]], part)
        for label in ("a", "b")
        for part in ("train", "dev", "test")
    ]
)


def test_spread_is_one_if_even_and_small_on_one_word():
    class Looks(HCAN):
        def readout(self, ids):
            weights = torch.zeros(ids.shape)
            weights[0] = 1 / 5
            weights[1, 0, 0] = 1
            return Readout(weights, torch.ones(ids.shape[:2]))

    model = Looks(["a", "b"], ["w"], 2, 3, 6, size=2, heads=1)
    spread = word_spread(model, [[["w"] * 5], [["w"] * 5, ["w"]], [["w"] * 4]])
    np.testing.assert_allclose(spread, [1, 1 / 5, np.nan], rtol=1e-6)
    means = of_spread(spread, np.array([[1, 1, 1], [2, 0, 5], [0, 0, 1]]))["word_spread"]
    np.testing.assert_allclose(means, [0.6, 1, np.nan], rtol=1e-6)


def test_controls_of_attention_tell_a_learned_target_from_an_even_one(tmp_path):
    torch.manual_seed(1)
    model = HCAN(["a", "b"], ["some", "words", "good", "bad", "more"], 4, 3, 6, size=4, heads=1, dropout=0.0)
    with torch.no_grad():
        for level in model.levels:
            level.target.mul_(40)  # a target that looks at few words
    documents = [["some", "words", "good", "bad", "more"]]
    texts = as_texts(
        [Text(f"{label}{part}", label, documents, part) for label in "ab" for part in ("train", "dev", "test")]
    )
    save_model(model, tmp_path)
    measures = of_attention(HCAN, tmp_path, texts, np.ones((1, 2)))
    assert measures["word_spread"][0] < 0.9 < measures["untrained_spread"][0] <= 1
    even = model.eval()
    for level in even.levels:
        torch.nn.init.zeros_(level.target)
    loss = -even.probabilities(even.numbers(texts.sentences["test"])).log()[[0, 1], [0, 1]].mean()
    assert measures["even_target"]["nll"][0] == pytest.approx(float(loss), rel=1e-5)
    copy = untrained_copy(model, tmp_path)
    assert torch.equal(copy.embedding.weight, model.embedding.weight)
    assert not torch.equal(copy.levels[0].convolution.weight, model.levels[0].convolution.weight)


@pytest.mark.parametrize(("accuracies", "epochs"), [([0.5, 0.96, 0.9, 0.97], 2), ([0.5, 0.6], 3)])
def test_epochs_until_learned(tmp_path, accuracies, epochs):
    history = [{"epoch": number, "dev_accuracy": accuracy} for number, accuracy in enumerate(accuracies, start=1)]
    (tmp_path / "training.json").write_text(json.dumps({"history": history}))
    scores = np.array([[0.9, 0.1], [0.6, 0.4]])
    np.savez(tmp_path / "scores.npz", dev=scores, test=scores)
    measures = of_network(tmp_path, TEXTS, np.ones((1, 2)), [], 0.95)
    assert measures["epochs"] == [epochs]
    assert measures["accuracy"] == [0.5]
    np.savez(tmp_path / "scores.npz", dev=scores, test=scores[:1])
    with pytest.raises(InputError, match="expected probabilities of 2 documents and 2 labels"):
        of_network(tmp_path, TEXTS, np.ones((1, 2)), [], 0.95)
    with pytest.raises(InputError, match="this is no trained network"):
        of_network(tmp_path / "absent", TEXTS, np.ones((1, 2)), [], 0.95)


def test_counts():
    assert counts(TEXTS) == {"train": 2, "dev": 2, "test": 2, "labels": 2, "majority": 0.5}


@pytest.mark.parametrize("flat", [False, True])
def test_the_page_shades_what_is_read_and_escapes_it(flat):
    torch.manual_seed(0)
    model = HCAN(["<a>", "b"], ["w"], 2, 2, 3, size=2, heads=1, flat=flat)
    sentences = [["w", "<i>", "&", "cut"], [], ["w"], ["left", "out"]]
    (document,) = shaded(model, [("one & only", "b", sentences)])
    words = [[word for word, _ in row] for _, row in document.sentences]
    assert words == ([["w", "<i>", "&", "w"]] if flat else [["w", "<i>", "&"], ["w"]])
    assert all(0 <= shade <= 1 for _, row in document.sentences for _, shade in row)
    text = page("T", "N", [document])
    assert "&lt;i&gt;" in text
    assert "one &amp; only" in text
    assert "<i>" not in text
    assert "cut" not in text


def test_the_section_has_the_defaults_of_the_network():
    of_section, of_network = defaults_of_both(settings.HCAN, HCAN)
    assert of_section == {name: value for name, value in of_network.items() if name not in ("size", "heads")}
