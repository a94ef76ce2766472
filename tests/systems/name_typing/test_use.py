"""A copied folder types raw names: as the evaluation does, and nothing for a name without a vector."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.corpora.freebase.label_sets import SPLITS
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.name_typing import settings
from repline.systems.name_typing.classifier_files import RawNames
from repline.systems.name_typing.corpus import read_data, write_data
from repline.systems.name_typing.evaluation import evaluate, probabilities
from repline.systems.name_typing.model import CLASSIFIERS
from repline.systems.name_typing.training import train
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors import store

KINDS = (["/person"], ["/location"], ["/location", "/location/city"])
SMALL = {"hidden": [8], "epochs": 20, "batch": 20, "learning_rate": 0.02, "hardware": CPU}
CLASSIFIERS_SECTION = settings.Classifiers(lr={"l2": [1e-3]}, mlp=SMALL, mlp_shared=SMALL)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Names of three kinds, whose vectors say which; New_York is one of them."""
    root, rng = tmp_path_factory.mktemp("names"), np.random.default_rng(0)
    names = [f"Name{number}" for number in range(150)]
    names[2] = "New_York"
    vectors = rng.normal(scale=0.3, size=(150, 6)).astype(np.float32)
    vectors[np.arange(150), np.arange(150) % 3] += 2
    store.save(root / "space", names, vectors)
    (root / "labels").mkdir()
    split_of = [SPLITS[0] if row < 90 else SPLITS[1] if row < 120 else SPLITS[2] for row in range(150)]
    rows = [
        {"name": name, "types": KINDS[row % 3], "frequency": 1e-6, "split": split_of[row]}
        for row, name in enumerate([name.lower() for name in names])
    ]
    pq.write_table(pa.Table.from_pylist(rows), root / "labels/names.parquet")
    types = ["/location", "/location/city", "/person"]
    pq.write_table(pa.table({"type": types, "frequency": [1e-6] * 3}), root / "labels/types.parquet")
    (root / "labels/card.json").write_text(json.dumps({"name": "labels", "licence": "none"}))
    write_data(root / "corpus", root / "labels", root / "space")
    return root / "corpus"


def test_a_perceptron_stops_where_dev_no_longer_improves_and_keeps_its_best_epoch(corpus, tmp_path):
    names, types = read_data(corpus)
    section = CLASSIFIERS_SECTION.model_copy(update={"mlp": settings.Perceptron(**SMALL | {"patience": 2})})
    train("mlp", section, names, Run(tmp_path / "model", scratch=tmp_path / "s"), RawNames(types, corpus))
    record = json.loads((tmp_path / "model/training.json").read_text())
    by_epoch = [epoch["dev_f1"] for epoch in record["history"]]
    assert len(by_epoch) < SMALL["epochs"] and by_epoch.index(max(by_epoch)) == len(by_epoch) - 3
    assert record["dev_f1"] == max(by_epoch)
    measured = evaluate({"given": {"mlp": [tmp_path / "model"]}}, names, types, 1)
    assert measured.not_converged == []
    record["history"] = record["history"][:-2]
    (tmp_path / "model/training.json").write_text(json.dumps(record))
    unfinished = evaluate({"given": {"mlp": [tmp_path / "model"]}}, names, types, 1).not_converged
    assert unfinished == ([] if max(by_epoch) == 1 else ["given.mlp"])


@pytest.fixture(params=list(CLASSIFIERS))
def trained(request, corpus, tmp_path):
    names, types = read_data(corpus)
    folder = tmp_path / "model"
    train(request.param, CLASSIFIERS_SECTION, names, Run(folder, scratch=tmp_path / "s"), RawNames(types, corpus))
    shutil.copytree(folder, tmp_path / "copied")
    return request.param, folder, tmp_path / "copied"


def test_a_training_that_dev_stops_is_not_resumed_with_another_dev(corpus, tmp_path):
    names, _ = read_data(corpus)
    dev = names["dev"]
    corrected = names | {"dev": replace(dev, labels=dev.labels[:, ::-1].copy())}
    moved = names | {"dev": dev.with_vectors(dev.vectors[::-1].copy())}
    section = CLASSIFIERS_SECTION.model_copy(update={"mlp": settings.Perceptron(**SMALL | {"patience": 2})})

    def history(split_names, scratch):
        train("mlp", section, split_names, Run(tmp_path / "model", scratch=tmp_path / scratch))
        return json.loads((tmp_path / "model/training.json").read_text())["history"]

    first = history(names, "shared")
    for number, changed in enumerate((corrected, moved)):
        again = history(changed, "shared")
        assert again == history(changed, f"fresh-{number}") and again != first


def test_a_copied_folder_types_names_as_the_evaluation_does(trained, corpus):
    classifier, folder, copied = trained
    names, types = read_data(corpus)
    expected = probabilities(pretrained(CLASSIFIERS[classifier], folder), names["test"])
    model = repline.load(copied)
    answers = model.types([name.upper() for name in names["test"].names])
    probabilities_by_type = [[answer.probabilities[kind] for kind in types] for answer in answers]
    np.testing.assert_allclose(probabilities_by_type, expected, atol=1e-6)
    gold = [{types[number] for number in np.flatnonzero(row)} for row in names["test"].labels]
    assert np.mean([set(answer.types) == kinds for answer, kinds in zip(answers, gold, strict=True)]) > 0.9
    assert set(model.types("New York").types) == {"/location", "/location/city"}
    assert model.types("New York", threshold=1.0).types == [] and model.types("New York").has_vector


def test_a_name_without_a_vector_has_no_type_and_the_shares_of_training(trained):
    model = repline.load(trained[2])
    for name in ("", "  ", "nobody", "无名"):
        answer = model.types(name)
        assert (answer.types, answer.has_vector) == ([], False)
        assert answer.probabilities["/location"] == pytest.approx(2 / 3)
    for wrong in (3, None, [["name1"]]):
        with pytest.raises(InputError, match="types takes a text or a list of texts"):
            model.types(wrong)
    for wrong in (50, -1, "0.5"):
        with pytest.raises(InputError, match=r"expected a number .*as threshold"):
            model.types("New York", threshold=wrong)
    assert model.types([]) == []


def test_the_command_types_a_line_a_name(trained, tmp_path):
    (tmp_path / "names.txt").write_text("name0\nnobody\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(trained[2]), str(tmp_path / "names.txt")])
    assert result.exit_code == 0, result.output
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert first["types"] == ["/person"] and second["types"] == []
