"""From pairs and vectors to trained encoders; what the second loss must not touch; bad input."""

import numpy as np
import pytest
import torch

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.errors import InputError
from repline.evaluation.replication.units import numbered_units, single_units
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.pretrained import pretrained
from repline.systems.supervised_unsupervised.corpus import Split, read_data, write_data
from repline.systems.supervised_unsupervised.evaluation import (
    accuracies,
    per_place,
    reconstructions,
    transfers,
    units_of_test_pairs,
)
from repline.systems.supervised_unsupervised.model import InferSent
from repline.systems.supervised_unsupervised.settings import Corpus, Recipe
from repline.systems.supervised_unsupervised.state_probe import mean_errors
from repline.systems.supervised_unsupervised.training import MEASURED, begin, shrinking, two_losses
from repline.training.run import Run
from repline.vectors import store
from tests.systems.supervised_unsupervised.small_pairs import CORPUS, SMALL, WORDS, train_small, write_sources


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    root = tmp_path_factory.mktemp("sources")
    write_sources(root)
    return root


@pytest.fixture(scope="module")
def data(sources):
    write_data(sources / "data", CORPUS, sources)
    return read_data(sources / "data")


def trained(sources, data, folder, scratch, **knobs):
    this_run = Run(folder, seed=1, name=folder.name, scratch=scratch)
    train_small(sources, data, this_run, **knobs)
    return pretrained(InferSent, folder)


def test_words_without_a_vector_are_left_out_and_marks_are_set(data):
    train = data.pairs["train"]
    assert train.first[0].tolist()[0] == 1 and train.first[0].tolist()[-1] == 2  # <s> a dog sleeps </s>
    assert (train.second != 0).sum(1).tolist() == [4] * 12 and train.second.shape == (12, 5)  # <s> it sleeps </s>
    assert data.labels == ["no", "yes"] and set(train.sources) == {"pairs"}
    assert not data.vectors[0].any() and data.vectors.shape[1] == 8


def test_lambda_zero_is_the_plain_network_bit_for_bit(sources, data, tmp_path):
    plain = trained(sources, data, tmp_path / "plain", tmp_path)
    for kind in ("bi_ae", "lm"):
        with_lambda_zero = trained(sources, data, tmp_path / kind, tmp_path, kind=kind, weight=0.0)
        for name, value in plain.state_dict().items():
            assert torch.equal(value, with_lambda_zero.state_dict()[name]), name
    moved = trained(sources, data, tmp_path / "moved", tmp_path, kind="bi_ae", weight=0.1)
    assert not torch.equal(moved.encoder.layers[0].weight_hh_l0, plain.encoder.layers[0].weight_hh_l0)
    assert not list(tmp_path.glob("*/*maps*"))


def batch_of(data):
    train = data.pairs["train"]
    return train.first, train.second, data.numbers("train")


def test_the_second_loss_moves_neither_the_classifier_nor_the_words(data):
    network = begin(data, Recipe(**SMALL | {"kind": "ae"}), 0)
    network.vectors.requires_grad_()
    _, second = network(batch_of(data))
    second.sum().backward(inputs=[*network.model.encoder.parameters()], retain_graph=True)
    assert all(parameter.grad.any() for parameter in network.model.encoder.parameters())
    touched = torch.autograd.grad(second.sum(), [*network.model.classifier.parameters()], allow_unused=True)
    assert touched == (None,) * 6
    assert "vectors" not in dict(network.named_parameters())


@pytest.mark.parametrize(("reduction", "both"), [("paper", True), ("authors", False)])
def test_the_authors_program_reads_the_hypothesis_alone(reduction, both, data):
    network = begin(data, Recipe(**SMALL | {"kind": "ae", "reduction": reduction, "weight": 0.5}), 0)
    premises, hypotheses, labels = batch_of(data)
    loss, count, parts = two_losses(network, (premises, hypotheses, labels))
    assert count == 12
    torch.testing.assert_close(loss, parts["labels"] + 0.5 * parts["reconstruction"])
    other_premises = premises.clone()
    other_premises[:, 1] = 1 + other_premises[:, 1] % 5
    _, _, changed = two_losses(network, (other_premises, hypotheses, labels))
    assert (changed["reconstruction"] != parts["reconstruction"]) == both


def test_a_trained_folder_is_an_encoder_and_its_measurements_are_whole(sources, data, tmp_path):
    model = trained(sources, data, tmp_path / "bi", tmp_path, kind="bi_lm", weight=0.01)
    encode = load_encoder(tmp_path / "bi")
    sentences = ["A dog sleeps", "zorp", "it walks zorp", "A dog sleeps."]
    vectors = encode(sentences)
    assert vectors.shape == (4, 8) and not vectors[1].any() and np.array_equal(vectors[0], vectors[3])
    train = data.pairs["train"].first[:1]
    expected = model.encode(data.vectors[train], torch.tensor([5])).detach().numpy()
    np.testing.assert_allclose(vectors[:1], expected, atol=1e-6)
    with np.load(tmp_path / "bi" / MEASURED) as arrays:
        measured = dict(arrays)
    assert measured["labels"].shape == (4,)
    assert measured["held_out.forward"][:, 1].tolist() == [4 + 3] * 4  # places less one, of both sentences
    parts, repeated = reconstructions([measured, measured], units_of_test_pairs(data.pairs["test"]))
    assert set(parts) == {"held_out", "probe"} and set(parts["probe"]) == {"current", "next", "causal", "previous"}
    assert len(repeated["probe"]["next"]) == 200
    means = {
        name: per_place([errors], units_of_test_pairs(data.pairs["test"]))[0]
        for name, errors in mean_errors(data).items()
    }
    assert parts["probe"]["current"] < means["current"]


def test_a_model_for_other_vectors_says_so(sources, data, tmp_path):
    trained(sources, data, tmp_path / "m", tmp_path)
    store.save(tmp_path / "short", WORDS, np.ones((len(WORDS), 3), np.float32))
    text = (tmp_path / "m/encoder.json").read_text(encoding="utf-8")
    changed = text.replace(str(sources / "vectors"), str(tmp_path / "short"))
    (tmp_path / "m/encoder.json").write_text(changed, encoding="utf-8")
    with pytest.raises(InputError, match="expected vectors of 8 dimensions, as the model reads, found 3"):
        load_encoder(tmp_path / "m")


def test_the_schedule_of_infersent():
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], 0.1)
    history, rates = [], []
    for accuracy in (0.5, 0.6, 0.6, 0.7):
        history.append({"dev_accuracy": accuracy})
        shrinking(optimizer, history)
        rates.append(optimizer.param_groups[0]["lr"])
    np.testing.assert_allclose(rates, [0.099, 0.09801, 0.0194060, 0.0192119], rtol=1e-4)


def test_sgd_trains_too(sources, data, tmp_path):
    options = {"kind": "combined", "reduction": "authors", "optimizer": "sgd", "learning_rate": 0.1}
    model = trained(sources, data, tmp_path / "sgd", tmp_path, **options)
    assert all(parameter.isfinite().all() for parameter in model.parameters())


@pytest.mark.parametrize(
    ("split", "line", "message"),
    [
        ("test", "a dog\tit is\tmaybe", "line 6: the label 'maybe' is never seen in train, which has no, yes"),
        ("dev", "a dog\tzug zag\tyes", "dev, pair or line 6: no word of the second sentence has a vector: 'zug zag'"),
    ],
)  # fmt: skip
def test_bad_pairs_write_nothing(split, line, message, sources, tmp_path):
    (tmp_path / "tables").mkdir()
    for path in (sources / "tables").iterdir():
        text = path.read_text(encoding="utf-8") + (f"{line}\n" if path.stem == split else "")
        (tmp_path / "tables" / path.name).write_text(text, encoding="utf-8")
    write_pairs(tmp_path / "tables", tmp_path / "pairs", PairCorpus(form="own"))
    with pytest.raises(InputError, match=message):
        write_data(tmp_path / "data", Corpus(pairs=["pairs"], vectors=str(sources / "vectors")), tmp_path)
    assert not (tmp_path / "data").exists()


def test_pairs_without_known_words_are_left_out_and_counted(sources, data, tmp_path):
    (tmp_path / "tables").mkdir()
    for path in (sources / "tables").iterdir():
        text = path.read_text(encoding="utf-8") + "a dog\tzug zag\tyes\n"
        (tmp_path / "tables" / path.name).write_text(text, encoding="utf-8")
    write_pairs(tmp_path / "tables", tmp_path / "pairs", PairCorpus(form="own"))
    corpus = Corpus(pairs=["pairs"], vectors=str(sources / "vectors"), on_error="salvage")
    card = write_data(tmp_path / "data", corpus, tmp_path)
    kept = read_data(tmp_path / "data").pairs
    assert {split: pairs.labels for split, pairs in kept.items()} == {
        split: pairs.labels for split, pairs in data.pairs.items()
    }
    assert card["counts"]["wrong_records"] == 3
    assert card["notes"][0] == "salvaged: 3 wrong records left out: 3 (no word of the second sentence has a vector)"
    nothing = {"train": "zug\tzag\tyes\n" * 3, "dev": "", "test": ""}
    for split, lines in nothing.items():
        (tmp_path / f"tables/{split}.tsv").write_text(f"sentence1\tsentence2\tlabel\n{lines}a dog\tit is\tyes\n")
    write_pairs(tmp_path / "tables", tmp_path / "pairs", PairCorpus(form="own"))
    with pytest.raises(InputError, match="expected two labels or more in train, found 'yes'"):
        write_data(tmp_path / "data", corpus, tmp_path)


def test_pairs_with_scores_but_without_labels(sources, tmp_path):
    (tmp_path / "tables").mkdir()
    for split in ("train", "dev", "test"):
        text = "sentence1\tsentence2\tscore\na dog\tit is\t2\n"
        (tmp_path / f"tables/{split}.tsv").write_text(text, encoding="utf-8")
    write_pairs(tmp_path / "tables", tmp_path / "pairs", PairCorpus(form="own"))
    with pytest.raises(InputError, match="train, pair or line 2: expected a label, found none"):
        write_data(tmp_path / "data", Corpus(pairs=["pairs"], vectors=str(sources / "vectors")), tmp_path)


def test_vectors_that_are_not_finite(sources, tmp_path):
    vectors = np.ones((len(WORDS), 4), np.float32)
    store.save(tmp_path / "vectors", WORDS, vectors)
    vectors[WORDS.index("walks")] = np.nan
    np.save(tmp_path / "vectors/vectors.npy", vectors)
    with pytest.raises(InputError, match="the vector of 'walks' is not finite"):
        write_data(tmp_path / "data", Corpus(pairs=[str(sources / "pairs")], vectors="vectors"), tmp_path)
    assert not (tmp_path / "data").exists()


def test_pairs_that_share_a_sentence_are_drawn_together():
    """Thirty premises have two hypotheses each, and no pair names a group, as in SICK."""
    premises = torch.arange(60)[:, None] // 2 + 1
    test = Split(premises, torch.arange(60)[:, None] + 100, ["yes"] * 60, ["sick"] * 60, list(map(str, range(60))))
    assert units_of_test_pairs(test)[:, 0].tolist() == [number // 2 for number in range(60)]
    named = test._replace(groups=["x", "y", "z"] * 20)
    assert units_of_test_pairs(named)[:, 0].tolist() == [0, 1, 2] * 20


def test_replicates_are_paired_and_means_of_seeds():
    gold, sources, units = np.array([0, 1, 1, 0]), ["x", "x", "y", "y"], single_units(4)
    correct, wrong = gold.copy(), 1 - gold
    accuracy, repeated = accuracies([correct, wrong], gold, sources, units)
    assert accuracy == {"all": 0.5, "x": 0.5, "y": 0.5} and set(repeated["all"]) == {0.0, 1.0}
    half, again = accuracies([np.array([0, 1, 0, 1])], gold, sources, units)
    assert half == {"all": 0.5, "x": 1.0, "y": 0.0} and len(set(again["all"])) > 2
    point, errors = per_place([np.array([[2.0, 1], [2.0, 3]]), np.array([[6.0, 1], [6.0, 3]])], single_units(2))
    assert point == 2.0 and 0.6 < errors.min() < 1.0 and 3.0 < errors.max() <= 6.0
    together = numbered_units(["a", "a", "c", "c"])
    assert set(accuracies([np.array([0, 0, 1, 1])], gold, sources, together)[1]["all"]) == {0.5}
    runs = [
        {"SST-2": {"value": v, "f1": 0.5, "replicates": [v] * 200, "further_replicates": {"f1": [v / 2] * 200}}}
        for v in (0.4, 0.6)
    ]
    numbers, drawn = transfers(runs)
    assert numbers == {"SST_2": 0.5, "SST_2_f1": 0.5}
    assert len(np.unique(drawn["SST_2"].round(6))) == 2  # of two runs one is drawn
    assert drawn["SST_2_f1"] == pytest.approx(drawn["SST_2"] / 2)
