"""Instances from a corpus of roles, and trainings that end with the same bytes."""

import json

import numpy as np
import pytest
import torch

from repline.corpora.srl import made_roles
from repline.corpora.srl.role_corpus import write_roles
from repline.pretrained import pretrained
from repline.systems.srl_seq2seq.corpus import read_data, write_data
from repline.systems.srl_seq2seq.settings import Corpus, Recipe
from repline.systems.srl_seq2seq.tagger import RoleTagger, tagged
from repline.systems.srl_seq2seq.training import OUTPUTS, frequent_predicates, read_outputs, train
from repline.training.run import Run
from repline.vectors import store

RECIPE = {"epochs": 1, "learning_rate": 0.01, "batch": 8, "embedding": 4, "units": 4, "dropout": 0.2}


@pytest.fixture(scope="module")
def corpus_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("srl")
    made_roles.write(folder / "raw", seed=0, train=60, dev=8, test=8, nouns=20, verbs=5)
    write_roles(folder / "raw", folder / "roles")
    write_data(folder / "data", Corpus(roles="roles"), "none", folder)
    return folder


def test_which_instances_there_are(corpus_folder, tmp_path):
    everything = read_data(corpus_folder / "data").instances
    write_data(tmp_path / "short", Corpus(roles="roles", longest=8, train=5, verbs=True), "none", corpus_folder)
    short = read_data(tmp_path / "short").instances
    assert short["train"] == [instance for instance in everything["train"] if len(instance.tokens) <= 8][:5]
    assert short["test"] == [instance for instance in everything["test"] if len(instance.tokens) <= 8]
    card = write_data(tmp_path / "cut", Corpus(roles="roles", longest_target=14), "none", corpus_folder)
    cut = read_data(tmp_path / "cut").instances
    assert cut["train"] == [instance for instance in everything["train"] if len(instance.target) <= 14]
    assert card["counts"]["too_long"] == len(everything["train"]) - len(cut["train"])
    assert cut["test"] == everything["test"]


def test_known_words_are_frequent_and_have_vectors(corpus_folder, tmp_path):
    data = read_data(corpus_folder / "data")
    words = [word for word in data.words if len(word) == 3 and word != "the"][:2]
    matrix = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    store.save(tmp_path / "v", ["the", *words], np.array(matrix, np.float32))
    write_data(tmp_path / "d", Corpus(roles="roles", pretrained=True, minimum_count=2), tmp_path / "v", corpus_folder)
    limited = read_data(tmp_path / "d")
    assert set(limited.words) == {"the", *words}
    assert limited.vectors[limited.words.index("the")].tolist() == [1, 2]


def test_a_document_may_have_a_colon_in_its_name(tmp_path):
    ran, saw = {"args": [["V", 1, 1]]}, {"args": [["A0", 0, 0], ["V", 1, 1]]}
    sentences = [
        ("http://x/1-1", "train", ["Dogs", "ran"], [ran]),
        ("http://x/1-2", "train", ["Nobody", "ran"], []),
        ("http://x/2-1", "train", ["She", "saw", "dogs", "sleep"], [saw, {"args": [["V", 3, 3]]}]),
        ("http://x/3-1", "dev", ["Dogs", "ran"], [ran]),
        ("http://x/4-1", "test", ["Dogs", "ran"], [ran]),
    ]
    lines = [json.dumps(dict(zip(("id", "split", "words", "props"), values, strict=True))) for values in sentences]
    (tmp_path / "roles.jsonl").write_text("\n".join(lines), encoding="utf-8")
    write_roles(tmp_path / "roles.jsonl", tmp_path / "roles")
    write_data(tmp_path / "data", Corpus(roles="roles", without_predicate=True), "none", tmp_path)
    train_instances = read_data(tmp_path / "data").instances["train"]
    assert [instance.sentence for instance in train_instances] == [
        "http://x/1-1",
        "http://x/1-2",
        "http://x/2-1",
        "http://x/2-1",
    ]
    assert frequent_predicates(train_instances) == ["ran", "saw", "sleep"]
    assert frequent_predicates(train_instances, share=0.6) == ["saw", "sleep"]


@pytest.mark.parametrize("kind", ["copying", "tagger"])
def test_the_same_training_ends_with_the_same_bytes(corpus_folder, tmp_path, kind):
    data = read_data(corpus_folder / "data")
    for name in ("one", "two"):
        train(Recipe(**RECIPE, kind=kind), data, Run(tmp_path / name, seed=3, scratch=tmp_path / f"scratch-{name}"))
    for file in ("model.safetensors", OUTPUTS):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    outputs = read_outputs(tmp_path / "one")["plain"]
    assert len(outputs) == len(data.instances["test"])


def test_tags_of_gold_are_the_gold_targets(corpus_folder):
    instances = read_data(corpus_folder / "data").instances["test"]
    model = RoleTagger(read_data(corpus_folder / "data").labels, read_data(corpus_folder / "data").words, 4, 4)
    sources, tags = model.numbers(instances)
    assert sources.shape == tags.shape

    class Oracle(RoleTagger):
        def forward(self, sources):
            scores = super().forward(sources)
            return scores * 0 + (tags[:, :, None] == torch.arange(scores.shape[2])).float()

    model.__class__ = Oracle
    assert tagged(model, instances) == [instance.target for instance in instances]


def test_the_losses_of_a_tagger_are_means_over_words(corpus_folder, tmp_path):
    data = read_data(corpus_folder / "data")
    recipe = Recipe(**RECIPE | {"batch": 3, "dropout": 0.0, "learning_rate": 1e-9}, kind="tagger")
    train(recipe, data, Run(tmp_path / "model", scratch=tmp_path / "scratch"))
    record = json.loads((tmp_path / "model/training.json").read_text())["history"][0]
    model = pretrained(RoleTagger, tmp_path / "model")
    for name, split in (("train_loss", "train"), ("validation_loss", "dev")):
        sources, tags = model.numbers(data.instances[split])
        with torch.no_grad():
            over_words = torch.nn.functional.cross_entropy(model(sources).mT, tags)
        assert record[name] == pytest.approx(float(over_words), abs=1e-5)
