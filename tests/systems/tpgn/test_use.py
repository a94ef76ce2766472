"""A copied model writes captions of raw tags, of captions, and of features, as its evaluation does."""

import shutil

import numpy as np
import pytest

import repline
from repline.corpora.captions.caption_corpus import read_captions, write_captions
from repline.corpora.captions.caption_table import read_tags
from repline.corpora.captions.made_captions import write
from repline.corpora.captions.recipes import CaptionCorpus
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.tpgn.corpus import prepare, sentences
from repline.systems.tpgn.decoding import generate
from repline.systems.tpgn.model import TPGN, CaptionLSTM
from repline.systems.tpgn.settings import Network, Recipe
from repline.systems.tpgn.training import train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.corpora.captions.small_captions import NAMES, table

RECIPE = {"epochs": 2, "fixed_epochs": 1, "patience": 3, "learning_rate": 0.02, "batch": 32, "gradient_clip": 5.0}
RECIPE |= {"embedding": 8, "dropout": 0.0, "hardware": CPU}


def trained(corpus, factory, kind="tpgn", minimum_count=3):
    """The data, and a copy of the folder of a model that was trained on it."""
    data = prepare(read_captions(corpus), minimum_count, 12)
    root = factory.mktemp("trained")
    train(Recipe(**RECIPE), Network(kind=kind, dimensions=4), data, "", Run(root / "model", scratch=root / "scratch"))
    return data, shutil.copytree(root / "model/stopped", factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    root = tmp_path_factory.mktemp("captions")
    (root / "raw").mkdir()
    write(root / "raw", seed=0, pictures=120, dev=20, test=20)
    write_captions(root / "raw", root / "corpus", CaptionCorpus(form="table", features="tags", tags=100))
    return root


@pytest.fixture(scope="module", params=["tpgn", "lstm"])
def model_and_data(source, tmp_path_factory, request):
    data, folder = trained(source / "corpus", tmp_path_factory, request.param)
    network = pretrained({"tpgn": TPGN, "lstm": CaptionLSTM}[request.param], folder)
    return repline.load(folder), network, data


@pytest.fixture(scope="module")
def model(model_and_data):
    return model_and_data[0]


def test_tags_of_test_pictures_get_the_captions_of_the_evaluation(source, model_and_data):
    model, network, data = model_and_data
    test = data.parts["test"]
    tags = read_tags(source / "raw", test.names)
    numbers = generate(network, data.features, test.rows, longest=12)
    expected = [" ".join(words) for words in sentences(numbers, data.vocabulary)]
    texts = [", ".join(tags[name]) for name in test.names]
    answers = model.caption(texts)
    assert [answer.caption for answer in answers] == expected and any(expected)
    assert answers[0].known_words + len(answers[0].unknown) == len(tags[test.names[0]])
    assert model.caption(texts[0]) == answers[0] and model.caption(texts, batch=3) == answers
    features = np.asarray(data.features[test.rows])
    assert [answer.caption for answer in model.caption(features)] == expected
    assert [answer.caption for answer in model.caption(features[0])] == expected[:1]


def test_empty_and_unknown_tags(model):
    answers = model.caption(["", "  ", "房间", "zorp, zarp"])
    assert [(answer.caption, answer.known_words) for answer in answers] == [("", 0)] * 4
    assert answers[3].unknown == ["zorp", "zarp"] and model.caption([]) == []


def test_tags_with_commas_and_blanks_are_learnt_and_asked_for(tmp_path_factory):
    root = tmp_path_factory.mktemp("own")
    places = ("Paris", "Paris, France", "Rome, Lazio, Italy")
    lines = [f"{name} \t dog \t{places[row % 3]}\t \n" for row, name in enumerate(NAMES)]
    (table(root / "own") / "tags.tsv").write_text("".join(lines))
    write_captions(root / "own", root / "tags", CaptionCorpus(form="table", features="tags"))
    _, folder = trained(root / "tags", tmp_path_factory, minimum_count=1)
    model = repline.load(folder)
    assert sorted(model.tags) == ["Paris", "Paris, France", "Rome, Lazio, Italy", "dog"]
    assert model.tags_of("dog,Paris, France, dog ,Rome, Lazio, Italy") == ["dog", places[1], "dog", places[2]]
    assert model.tags_of("Paris, dog, Rome, Lazio, ,") == ["Paris", "dog", "Rome", "Lazio"]
    answer = model.caption("Paris, France, dog ")
    assert answer.known_words == 2 and answer.caption and not answer.unknown


def test_captions_of_captions_and_of_features(tmp_path_factory):
    root = tmp_path_factory.mktemp("own")
    table(root / "own", captions=5)
    write_captions(root / "own", root / "words", CaptionCorpus(form="table", features="co_captions"))
    _, folder = trained(root / "words", tmp_path_factory, minimum_count=1)
    model = repline.load(folder)
    assert model.tags_of("Two DOGS, running .") == ["two", "dogs", "running"]
    assert model.caption("a dog runs on grass").known_words == 3
    write_captions(root / "own", root / "given", CaptionCorpus(form="table", features="given"))
    _, folder = trained(root / "given", tmp_path_factory, minimum_count=1)
    model = repline.load(folder)
    assert model.fields == ("features",)
    (answer,) = model.answers([{"features": "1 2 0"}])
    assert answer == {"caption": model.caption(np.array([[1, 2, 0]]))[0].caption, "known_words": 2, "unknown": []}
    with pytest.raises(InputError, match=r"reads features of pictures: a NumPy array \[pictures, 3\], and no tags"):
        model.caption("dog")
    with pytest.raises(InputError, match=r"array \[pictures, 3\], and no tags"):
        model.caption([[1, 2, 0]])
    with pytest.raises(InputError, match=r"finite numbers \[pictures, 3\], found an array \(1, 3\) of <U1"):
        model.caption(np.array([["1", "2", "0"]]))
    with pytest.raises(InputError, match="expected 3 numbers with blanks between"):
        model.answers([{"features": "dog"}])


def test_answers_of_the_command(model):
    assert model.fields == ("tags",) and model.optional_fields == ()
    (answer,) = model.answers([{"tags": "man Agent, zorp"}])
    assert answer["known_words"] == 1 and answer["unknown"] == ["zorp"] and answer["caption"]


@pytest.mark.parametrize("pictures", [3, None, [["man Agent"]], [1]])
def test_what_is_no_picture_is_refused(model, pictures):
    with pytest.raises(InputError, match="caption takes a text or a list of texts"):
        model.caption(pictures)


@pytest.mark.parametrize("features", [np.ones((2, 3)), np.ones((1, 1, 100)), np.full((1, 100), np.nan)])
def test_features_of_another_shape_are_refused(model, features):
    with pytest.raises(InputError, match="expected features as finite numbers"):
        model.caption(features)
