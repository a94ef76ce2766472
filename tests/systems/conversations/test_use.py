"""A copied model of conversations encodes raw texts as the suite's encoder, and ranks replies by the trained score."""

import json
import math
import shutil

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.systems.conversations.corpus import read_inference, read_turns
from repline.systems.conversations.settings import Recipe
from repline.systems.conversations.training import Data, train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.systems.conversations.small_data import RECIPE, inference_rows, write_pairs, write_turns

TEXTS = ["Tea0 and cat1!", "sun2", "and and zebu"]


@pytest.fixture(scope="module", params=["dan", "transformer"])
def trained(request, tmp_path_factory):
    """A trained folder and a copy of it elsewhere."""
    root = tmp_path_factory.mktemp("data")
    write_turns(root / "chat")
    write_pairs(root / "pairs", inference_rows())
    data = Data(read_turns({"chat": root / "chat"}), read_inference(root / "pairs"), root / "vectors")
    kind = {"encoder": request.param, "blocks": 1, "heads": 2, "inner": 8}
    recipe = Recipe(**RECIPE | {"task": "both", "hardware": CPU, "epochs": 20} | kind)
    train(recipe, data, Run(root / "model", name="test", scratch=root / "scratch"))
    copy = tmp_path_factory.mktemp("elsewhere") / "model"
    shutil.copytree(root / "model", copy)
    return root / "model", copy


@pytest.fixture(scope="module")
def model(trained):
    return repline.load(trained[1])


def test_vectors_are_those_of_the_suites_encoder(trained, model):
    np.testing.assert_allclose(model.encode(TEXTS), load_encoder(trained[0])(TEXTS), atol=1e-6)
    np.testing.assert_allclose(model.encode(TEXTS * 5, batch=4)[6:9], model.encode(TEXTS), atol=1e-5)
    assert model.encode("sun2").shape == (6,)
    assert model.similarity("sun2 and", "SUN2 and") == pytest.approx(1)


def test_replies_are_ranked_by_the_trained_score(model):
    replies = ["cat0 cat1 and", "tea0 tea1 and", "sun1 sun0 and", "zebu ox", "tea1 tea0 and"]
    ranked = model.rank("tea2 tea3 and", replies)
    assert {ranked[0].reply, ranked[1].reply} == {"tea0 tea1 and", "tea1 tea0 and"}  # as the turns of training
    assert ranked[-1] == ("zebu ox", -math.inf)
    u, v = (torch.from_numpy(model.encode([text])) for text in ("tea2 tea3 and", ranked[0].reply))
    with torch.inference_mode():
        assert ranked[0].score == pytest.approx((u @ model.sentences.model.replies(v).T).item(), abs=1e-5)
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert model.rank("tea2 tea3 and", replies, batch=2)[0].reply == ranked[0].reply
    assert model.rank("tea2", []) == []
    unseen = model.rank("te\xada2 tea3 and", [f"\ufeff{reply}" for reply in replies])
    assert unseen == [(f"\ufeff{reply}", pytest.approx(score, abs=1e-6)) for reply, score in ranked]
    assert [score for _, score in model.rank("zebu", replies[:2])] == [0, 0]


def test_empty_and_unknown_texts_have_zero_vectors(model):
    assert not model.encode(["", "  ", "zebu ox", "房间"]).any()
    assert model.similarity("zebu", "tea0") == 0


@pytest.mark.parametrize("texts", [[["tea0", "and"]], 3, None, ["tea0", 2]])
def test_what_is_no_text_is_refused(model, texts):
    with pytest.raises(InputError, match="encode takes a text or a list of texts"):
        model.encode(texts)
    with pytest.raises(InputError, match="rank takes a message and a list of replies"):
        model.rank("tea0", texts)
    with pytest.raises(InputError, match="rank takes a message and a list of replies"):
        model.rank(texts, ["tea0"])


def test_a_reply_alone_is_no_list(model):
    with pytest.raises(InputError, match="rank takes a message and a list of replies"):
        model.rank("tea0", "tea1")


def test_the_command_answers_lines(trained, model, tmp_path):
    (tmp_path / "texts.txt").write_text("Tea0 and cat1!\n\nzebu\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(trained[1]), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["known_words"] for answer in answers] == [3, 0, 0]
    np.testing.assert_allclose(answers[0]["vector"], model.encode("Tea0 and cat1!"), atol=1e-5)
