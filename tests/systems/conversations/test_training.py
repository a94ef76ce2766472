"""Training: the turns of the tasks, what a run hangs on, exact resumption, and what a model learns."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.systems.conversations.corpus import pack, read_inference, read_turns, turn_numbers, vocabulary
from repline.systems.conversations.encoder import load
from repline.systems.conversations.measures import correct_labels, model_ranks, word_overlap_ranks
from repline.systems.conversations.response_ranking import precisions
from repline.systems.conversations.settings import Recipe
from repline.systems.conversations.task_batches import INFERENCE, REPLY, Conversations, LabelledPairs, task_batches
from repline.systems.conversations.training import Data, train
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors import store
from tests.systems.conversations.small_data import RECIPE, inference_rows, write_pairs, write_turns
from tests.training.pretend_processes import be_process


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_turns(folder / "chat")
    write_pairs(folder / "pairs", inference_rows())
    return Data(read_turns({"chat": folder / "chat"}), read_inference(folder / "pairs"), folder / "vectors")


def _train(data, folder, task="both", **knobs):
    this_run = Run(folder / "model", name="test", scratch=folder / "scratch")
    train(Recipe(**RECIPE | {"task": task, "hardware": CPU} | knobs), data, this_run)
    return this_run.checkpoints


def _tasks(count, labels):
    sentences = pack([["a"], ["b", "a"]] * count, {"a": 1, "b": 2})
    conversations = Conversations(sentences, torch.arange(count), torch.arange(2 * count))
    return conversations, LabelledPairs(sentences, sentences, torch.arange(labels))


def _drawn(loader):
    return [(int(task), sorted(targets.tolist())) for task, _, _, targets in loader]


def test_tasks_take_turns():
    loader = task_batches(*_tasks(10, 5), size=2, pairs_size=3, every=2, seed=0)
    assert [task for task, _ in _drawn(loader)] == [REPLY, REPLY, INFERENCE, REPLY, REPLY, INFERENCE, REPLY]
    assert len(loader) == 7
    first = [rows for task, rows in _drawn(loader) if task == REPLY]
    assert sorted(row for rows in first for row in rows) == list(range(1, 11))  # what the replies say
    pairs = [rows for task, rows in _drawn(loader) if task == INFERENCE]
    assert sorted(row for rows in pairs for row in rows) == list(range(5))  # 3 of a pass, and the other 2


def test_an_epoch_has_an_order_of_its_own_and_pairs_go_on():
    loader = task_batches(*_tasks(40, 9), size=10, pairs_size=3, every=4, seed=0)
    before, pairs = _drawn(loader), []
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        pairs += [row for task, rows in _drawn(loader) if task == INFERENCE for row in rows]
    loader.sampler.set_epoch(0)
    assert _drawn(loader) == before
    assert sorted(pairs) == list(range(9))


def test_an_epoch_of_few_conversations_has_pairs_too():
    loader = task_batches(*_tasks(40, 9), size=10, pairs_size=3, every=20, seed=0)
    pairs = []
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        drawn = _drawn(loader)
        assert [task for task, _ in drawn] == [REPLY] * 4 + [INFERENCE] and len(loader) == 5
        pairs += drawn[-1][1]
    assert sorted(pairs) == list(range(9)), "an epoch goes on where the one before ended"


def test_the_order_of_an_evaluation_is_the_same_in_every_epoch():
    loader = task_batches(*_tasks(40, 9), size=10, pairs_size=3, every=4, same_order=True)
    first = _drawn(loader)
    loader.sampler.set_epoch(1)
    assert _drawn(loader) == first


def test_the_dev_loss_of_a_model_that_stays_the_same_does_too(data, tmp_path):
    _train(data, tmp_path, "conversation", epochs=3, batch=7, optimizer="sgd", learning_rate=1e-12)
    history = json.loads((tmp_path / "model/training.json").read_text())["history"]
    losses = [record["validation_loss"] for record in history]
    assert losses == pytest.approx([losses[0]] * 3, abs=1e-6)


def test_two_processes_draw_every_conversation_and_pair(monkeypatch):
    drawn = {REPLY: [], INFERENCE: []}
    for rank in range(2):
        be_process(monkeypatch, rank, 2)
        for task, rows in _drawn(task_batches(*_tasks(9, 7), size=4, pairs_size=3, every=1, seed=0)):
            drawn[task] += rows
    assert sorted(drawn[REPLY]) == list(range(1, 10)) and sorted(drawn[INFERENCE]) == list(range(7))


def test_pairs_alone_and_neither():
    _, pairs = _tasks(10, 5)
    loader = task_batches(None, pairs, size=2, pairs_size=2, every=1)
    assert [task for task, _ in _drawn(loader)] == [INFERENCE] * 3 and len(loader) == 3
    with pytest.raises(ValueError, match="expected conversations"):
        task_batches(None, None, size=2, pairs_size=2, every=1)


def test_a_batch_is_messages_then_replies(data):
    words = vocabulary(data.turns, data.inference, 100)
    sentences = turn_numbers(data.turns, words)
    task = Conversations(sentences, torch.from_numpy(data.turns.of_split("train")), torch.from_numpy(data.turns.texts))
    _, tokens, lengths, targets = task.batch(torch.tensor([0, 7]))
    rows = data.turns.of_split("train")[[0, 7]]
    expected = [token for row in [*rows, *(rows + 1)] for token in data.turns.tokens[row].as_py()]
    assert [words[number - 1] for number in tokens.tolist()] == expected
    assert lengths.tolist() == [3] * 4 and targets.tolist() == data.turns.texts[rows + 1].tolist()


def test_words_of_test_are_not_counted(data):
    words = vocabulary(data.turns, data.inference, 100)
    assert words[0] == "and" and words == vocabulary(data.turns, data.inference, 100)
    assert vocabulary(data.turns, data.inference, 3) == words[:3]


def test_a_model_learns_both_tasks(data, tmp_path):
    _train(data, tmp_path, epochs=25)
    encoder = load(tmp_path / "model")
    numbers = turn_numbers(data.turns, encoder.model.words)
    ranks = model_ranks(encoder.model, numbers, data.turns, candidates=30, seed=0)
    overlap = word_overlap_ranks(data.turns, candidates=30, seed=0)
    assert precisions(ranks["all"])["p10"] > precisions(overlap["all"])["p10"] + 0.2
    assert ranks["all"].tolist() == ranks["chat"].tolist()
    assert correct_labels(encoder.model, data.inference).mean() > 0.7


def test_a_saved_model_is_an_encoder_of_the_house(data, tmp_path):
    _train(data, tmp_path, "none")
    encode = load_encoder(tmp_path / "model")
    vectors = encode(["Tea0 and cat1!", "sun2"])
    assert vectors.shape == (2, 6) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.allclose(encode(["sun2"]), vectors[1:], atol=1e-6)
    assert json.loads((tmp_path / "model/training.json").read_text())["history"] == []
    with pytest.raises(InputError, match="sentence 2 of 2 is empty"):
        encode(["sun2", " "])


def test_a_stopped_training_ends_with_the_same_weights(data, tmp_path, monkeypatch):
    import repline.systems.conversations.training as module

    _train(data, tmp_path / "whole", alone=1)
    whole = (tmp_path / "whole/model/model.safetensors").read_bytes()
    fit, calls = module.fit, []

    def stops(*arguments, **knobs):
        calls.append(knobs)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return fit(*arguments, **knobs)

    monkeypatch.setattr(module, "fit", stops)
    with pytest.raises(KeyboardInterrupt):
        _train(data, tmp_path / "cut", alone=1)
    assert not (tmp_path / "cut/model").exists()
    _train(data, tmp_path / "cut", alone=1)
    assert (tmp_path / "cut/model/model.safetensors").read_bytes() == whole


def test_the_record_judges_the_last_part(data, tmp_path):
    _train(data, tmp_path, alone=3, epochs=2)
    record = json.loads((tmp_path / "model/training.json").read_text())
    epochs = [[epoch["epoch"] for epoch in record[name]] for name in ("pretraining", "history")]
    assert epochs == [[1, 2, 3], [1, 2]]
    _train(data, tmp_path, "inference", alone=3, epochs=2)
    record = json.loads((tmp_path / "model/training.json").read_text())
    assert len(record["history"]) == 2 and "pretraining" not in record


def test_a_share_of_the_pairs_changes_the_run(data, tmp_path):
    names = {_train(data, tmp_path / str(share), "inference", pairs_share=share)[0].name for share in (0.5, 1.0)}
    assert len(names) == 2


def test_words_begin_with_vectors(data, tmp_path):
    store.save(data.vectors, ["tea0", "zebu"], np.array([[3.0] * 8, [1.0] * 8], np.float32))
    _train(data, tmp_path / "v", "none", begin="vectors")
    _train(data, tmp_path / "r", "none")
    begun, random = (load(tmp_path / name / "model").model for name in "vr")
    changed = (begun.encoder.words.weight != random.encoder.words.weight).any(1)
    assert [begun.words[row - 1] for row in changed.nonzero()[:, 0].tolist()] == ["tea0"]
    with pytest.raises(InputError, match="vectors of 8 dimensions cannot begin embeddings of 4"):
        _train(data, tmp_path / "w", "none", begin="vectors", dimensions=4)


def test_clipped_gradients_need_a_transformer(data, tmp_path):
    with pytest.raises(ValidationError, match="their gradients cannot be clipped"):
        _train(data, tmp_path, gradient_clip=1.0)
    small = {"encoder": "transformer", "blocks": 1, "heads": 2, "inner": 8, "optimizer": "sgd"}
    _train(data, tmp_path, gradient_clip=1.0, epochs=1, **small)
    assert load(tmp_path / "model")(["tea0 and"]).shape == (1, 6)


def test_weights_that_are_not_finite_are_an_error(data, tmp_path):
    from safetensors.torch import load_file, save_file

    _train(data, tmp_path, "none")
    path = Path(tmp_path / "model/model.safetensors")
    weights = load_file(path)
    weights["replies.0.bias"][0] = float("nan")
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"replies\.0\.bias has a number that is not finite"):
        load(tmp_path / "model")


def test_labels_are_checked(tmp_path):
    rows = list(inference_rows())
    write_pairs(tmp_path, [*rows, ("test", "tea0", "tea1", "unheard", None, "")])
    with pytest.raises(InputError, match="test, pair or line 36: the label 'unheard' is never seen in train"):
        read_inference(tmp_path)
    write_pairs(tmp_path, [*rows, ("dev", "tea0", "tea1", None, 1.0, "")])
    with pytest.raises(InputError, match="dev, pair or line 36: expected a label, found none"):
        read_inference(tmp_path)
