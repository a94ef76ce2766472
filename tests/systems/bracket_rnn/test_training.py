"""Training the Bracket-RNN: batches in which every word is a target once, and the two perplexities."""

import json

import numpy as np
import pytest
import torch

from repline.corpora.language_modeling import corpus as language_modeling
from repline.errors import InputError
from repline.evaluation.perplexity import likelihoods
from repline.systems.bracket_rnn import corpus as bracketed_corpus
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.likelihood import bracket_likelihood, fit_probe
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.settings import Recipe
from repline.systems.bracket_rnn.training import (
    build_model,
    open_corpus,
    parameters_of,
    stream_batches,
    train,
)
from repline.training.language_model_batches import END, IGNORED
from repline.training.run import Run
from tests.systems.bracket_rnn import parsed_corpus

RUN = {
    "vocabulary": None,
    "minimum_count": 1,
    "shortest": 2,
    "longest": 30,
    "train_sentences": 90,
    "evaluation_sentences": None,
    "embedding": 8,
    "units": 8,
    "layers": 1,
    "input_dropout": 0.1,
    "hidden_dropout": 0.1,
    "output_dropout": 0.1,
    "epochs": 2,
    "learning_rate": 0.02,
    "gradient_clip": 1.0,
    "batch": 16,
    "merge_units": 10,
}
TREE = {"brackets": "tree", "variant": "A"}
PLAIN = {"brackets": "none", "variant": "lstm"}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("corpus")
    language_modeling.build(parsed_corpus.write(root / "source"), root / "text")
    bracketed_corpus.write(root / "text", root / "brackets", parsed_corpus.constituents(parsed_corpus.OPTIONAL))
    return root


def text_of(root, brackets="tree", **changes):
    variant = "lstm" if brackets == "none" else "A"
    recipe = Recipe(**RUN | {"variant": variant} | changes | {"brackets": brackets})
    return open_corpus(root / "text", root / "brackets", recipe)


def train_on(root, folder, scratch, **changes):
    recipe = Recipe(**RUN | TREE | changes)
    text = open_corpus(root / "text", root / "brackets", recipe)
    this_run = Run(folder, name="bracket_rnn-bracket", scratch=scratch)
    train(recipe, text, this_run)
    return this_run


@torch.inference_mode()
def difference_without_brackets(model, batches):
    """How far the logits of a model that gets no brackets are, at most, from those of an AWD-LSTM of its parameters."""
    units = max(layer.hidden_size for layer in model.layers)
    base = AWDLSTM(
        model.vocabulary, embedding=model.embedding.shape[1], units=units, layers=len(model.layers), tied=model.tied
    )
    base.load_state_dict({key: value for key, value in model.state_dict().items() if key in base.state_dict()})
    base.eval(), model.eval()
    largest = 0.0
    for inputs, _, _ in batches:
        ours, _ = model(inputs, model.initial_state(len(inputs)))
        theirs, _ = base(inputs, base.initial_state(len(inputs)))
        largest = max(largest, float((ours - theirs).abs().max()))
    return largest


def model_of(root, **changes):
    recipe = Recipe(**RUN | TREE | changes)
    return build_model(len(open_corpus(root / "text", root / "brackets", recipe)), recipe, seed=0)


@pytest.mark.parametrize("steps", [None, 7])
def test_every_word_is_a_target_once_with_and_without_brackets(root, steps):
    target_counts = {}
    for brackets in ("none", "tree", "random"):
        text = text_of(root, brackets=brackets)
        for predict in (False, True):
            targets = torch.cat(
                [batch[1].flatten() for batch in stream_batches(text, "train", 4, steps, predict=predict)]
            )
            targets = targets[targets != IGNORED]
            target_counts[brackets, predict] = torch.bincount(targets, minlength=len(text) + 2).tolist()
    words = target_counts["none", False][:-2]
    for (brackets, predict), counts in target_counts.items():
        assert counts[:-2] == words
        pairs = counts[-1]
        assert counts[-2] == pairs and (pairs > 0) == (predict and brackets != "none")


@pytest.mark.parametrize("steps", [None, 7])
def test_what_is_read_is_the_symbol_before(root, steps):
    text = text_of(root, brackets="tree")
    for inputs, targets, _ in stream_batches(text, "validation", 4, steps, predict=True, shuffle=False):
        following = targets[:, :-1]
        is_counted = (following != IGNORED) & (following != END)  # nothing but padding is read after <eos>
        assert torch.equal(inputs[:, 1:][is_counted], following[is_counted])


def test_rows_of_a_stream_are_balanced_and_carry_their_stacks(root):
    text = text_of(root, brackets="tree")
    level = torch.zeros(4, dtype=torch.long)
    below, cut = [], 0
    for inputs, _, first in stream_batches(text, "train", 4, 5, predict=False):
        level = torch.zeros_like(level) if first else level
        cut += int((level > 0).sum())
        levels = level[:, None] + ((inputs == len(text)).long() - (inputs == len(text) + 1).long()).cumsum(1)
        below.append(levels.min())
        level = levels[:, -1]
    assert min(below) == 0 and not level.any() and cut > 5  # segments end inside brackets
    loader = stream_batches(text, "train", 4, 5, predict=True)
    whole = stream_batches(text, "train", 4, 10_000, predict=True)
    model = model_of(root).eval()
    parts, at_once = (likelihoods(bracket_likelihood(model, len(text)), batches) for batches in (loader, whole))
    assert parts[0].nats == pytest.approx(at_once[0].nats, rel=1e-5) and parts[1].words == at_once[1].words
    with pytest.raises(InputError, match="expected a sentence for each of 5000 rows"):
        stream_batches(text, "train", 5000, 5, predict=False)


@pytest.mark.parametrize("predict", [False, True])
def test_the_two_perplexities(root, predict):
    text, model = text_of(root, brackets="tree"), model_of(root, predict=predict).eval()
    model.probe.normal_(generator=torch.Generator().manual_seed(0))
    batches = stream_batches(text, "validation", 8, predict=True, shuffle=False)
    words, kinds = likelihoods(bracket_likelihood(model, len(text)), batches)
    conditional = joint = counted = brackets = 0.0
    with torch.no_grad():
        for inputs, targets, lengths in batches:
            hidden, _ = model(inputs, model.initial_state(len(inputs)))
            for row, length in enumerate(lengths):
                for position in range(length):
                    logits, target = model.decode(hidden[row, position]), int(targets[row, position])
                    kind = model.kinds(hidden[row, position], logits)
                    if target < len(text):
                        word = logits[: len(text)].log_softmax(-1)[target]
                        conditional -= word
                        joint -= word + kind[0]
                        counted += 1
                    else:
                        joint -= kind[target - len(text) + 1]
                        brackets += 1
                    if predict:
                        assert joint != 0
    assert (words.words, kinds.words) == (counted, counted + brackets)
    assert words.nats == pytest.approx(float(conditional), rel=1e-4)
    assert words.jointly(kinds).nats == pytest.approx(float(joint), rel=1e-4)
    assert words.jointly(kinds).words == words.words and words.jointly(kinds).perplexity > words.perplexity


def test_a_model_that_predicts_brackets_has_one_softmax(root):
    text, model = text_of(root, brackets="tree"), model_of(root, predict=True).eval()
    batches = stream_batches(text, "validation", 8, predict=True, shuffle=False)
    words, kinds = likelihoods(bracket_likelihood(model, len(text)), batches)
    nats = 0.0
    with torch.no_grad():
        for inputs, targets, _ in batches:
            logits = model.decode(model(inputs, model.initial_state(len(inputs)))[0])
            nats += float(torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum"))
    assert words.jointly(kinds).nats == pytest.approx(nats, rel=1e-5)


def test_an_lstm_has_one_perplexity(root):
    text = text_of(root, brackets="none")
    model = model_of(root, **PLAIN)
    assert type(model) is AWDLSTM
    batches = stream_batches(text, "test", 8, predict=True, shuffle=False)
    words, kinds = likelihoods(bracket_likelihood(model, len(text)), batches)
    assert words.words == len(text.ids("test")) and (kinds.words, kinds.nats) == (0, 0)


def test_a_probe_learns_how_often_brackets_come(root):
    text, model = text_of(root, brackets="tree"), model_of(root)
    batches = stream_batches(text, "train", 16, predict=True)
    before = likelihoods(bracket_likelihood(model, len(text)), batches)[1]
    assert before.cross_entropy == pytest.approx(np.log(3), rel=1e-5)
    weights = {key: value.clone() for key, value in model.state_dict().items() if key != "probe"}
    fit_probe(model, batches)
    assert all(torch.equal(value, model.state_dict()[key]) for key, value in weights.items())
    after = likelihoods(bracket_likelihood(model, len(text)), batches)[1]
    ids = text.ids("train")
    shares = np.bincount(np.maximum(ids - len(text) + 1, 0)) / len(ids)
    assert after.cross_entropy < -(shares * np.log(shares)).sum() < before.cross_entropy


def test_a_probe_predicts_each_kind_as_often_as_it_comes():
    """Where its intercepts are fitted too, the mean of its probabilities is the share of each kind."""
    torch.manual_seed(0)
    model = BracketRNN(20, embedding=6, units=8, layers=1, merge_units=12)
    targets = torch.randint(0, 20, (30, 8)).where(torch.rand(30, 8) < 0.9, 20)  # a tenth are `(`
    targets[:, -1] = 21
    inputs = torch.randint(0, 20, (30, 8))
    fit_probe(model, [(inputs, targets, torch.tensor(True))])
    with torch.no_grad():
        hidden, _ = model.eval()(inputs, model.initial_state(30))
        target_counts = model.kinds(hidden, model.decode(hidden)).exp().mean((0, 1))
    shares = [float((targets < 20).float().mean()), float((targets == 20).float().mean()), 1 / 8]
    assert target_counts.tolist() == pytest.approx(shares, abs=2e-3)


def test_training_saves_a_model_that_is_the_same_twice(root, tmp_path):
    for position in ("one", "two"):
        this_run = train_on(root, tmp_path / position, tmp_path / position / "s")
        assert this_run.checkpoints[0].name.startswith("bracket_rnn-bracket-0-")
    files = {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir() if file.is_file()}
    assert files == {file.name: file.read_bytes() for file in (tmp_path / "two").iterdir() if file.is_file()}
    assert set(files) >= {"config.json", "model.safetensors", "training.json"}
    record = json.loads(files["training.json"])
    losses = [epoch["validation_loss"] for epoch in record["history"]]
    assert losses[1] < losses[0]
    model = BracketRNN.from_pretrained(tmp_path / "one")
    assert record["parameters"] == parameters_of(model) + model.brackets.numel()
    assert model.probe.any()
    text = text_of(root, brackets="tree")
    batches = stream_batches(text, "validation", 16, predict=True, shuffle=False)
    words, _ = likelihoods(bracket_likelihood(model, len(text)), batches)
    assert words.cross_entropy == pytest.approx(losses[-1], rel=1e-5)
    plain = stream_batches(text_of(root, brackets="none"), "validation", 16, predict=True)
    assert difference_without_brackets(model, plain) == 0


@pytest.mark.parametrize(
    "changes_of_run",
    [
        {"variant": "B"},
        {"variant": "C"},
        {"variant": "linear"},
        {"merge": "restore"},
        {"steps": 8, "random_steps": True},
    ],
    ids=str,
)
def test_every_kind_of_run_trains(root, tmp_path, changes_of_run):
    optimizer = {"optimizer": "nt-asgd", "learning_rate": 1.0} if "steps" in changes_of_run else {}
    changes = {"epochs": 1, "batch": 6, "predict": "merge" not in changes_of_run} | changes_of_run | optimizer
    train_on(root, tmp_path / "model", tmp_path, **changes)
    assert np.isfinite(json.loads((tmp_path / "model/training.json").read_text())["history"][0]["validation_loss"])


@pytest.mark.parametrize(
    ("changes_of_run", "message"),
    [
        (
            {"start": "mean", "merge_units": 3},
            "bracket_rnn-bracket: a merge net that begins as the mean needs 8 hidden",
        ),
        ({"vocabulary": 5000}, "and 5,000 were asked for"),
        ({"shortest": 40, "longest": 50}, "train has no sentence of 40 to 50 words"),
    ],
)
def test_mistakes_are_one_sentence_and_write_nothing(root, tmp_path, changes_of_run, message):
    with pytest.raises(InputError, match=message):
        train_on(root, tmp_path / "model", tmp_path, **changes_of_run)
    assert not list(tmp_path.iterdir())
