"""A copied network labels raw documents as it labelled the documents of its test part."""

import json
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.evaluation.multi_label import careful_thresholds
from repline.systems.entity_documents.corpus import read_data, write_data
from repline.systems.entity_documents.evaluation import read_scores
from repline.systems.entity_documents.settings import Corpus
from repline.systems.entity_documents.training import SCORES, train
from repline.training.run import Run
from tests.systems.entity_documents.small_documents import write_small
from tests.systems.entity_documents.test_training import RECIPE


@pytest.fixture(scope="module", params=["split-name", "type", "split-name+common"])
def trained(request, tmp_path_factory):
    """The documents, their raw test texts, the trained folder, and a copy of it elsewhere."""
    root = tmp_path_factory.mktemp("documents")
    write_small(root, 120)
    knobs = {"tasks": ["topics", "places"], "dev": 20, "test": 30, "number": 110, "least": 5}
    write_data(root / "made", Corpus(documents="documents", labels="labels", **knobs), root)
    documents = read_data(root / "made", request.param)
    (root / "names.tsv").write_text("Helsinki\tGPE\nParis\tGPE\nTokyo\tGPE\n", encoding="utf-8")
    recipe = RECIPE.model_copy(update={"mode": request.param})
    train(recipe, documents, "topics", Run(root / "model", scratch=root / "scratch"), names=root / "names.tsv")
    copy = tmp_path_factory.mktemp("elsewhere") / "model"
    shutil.copytree(root / "model", copy)
    rows = pq.read_table(root / "made/documents.parquet").to_pylist()
    text_of = {row["doc_id"]: row["text"] for row in pq.read_table(root / "labels/part-00000.parquet").to_pylist()}
    return documents, [text_of[row["doc_id"]] for row in rows if row["part"] == "test"], root / "model", copy


@pytest.fixture(scope="module")
def model(trained):
    return repline.load(trained[3])


def test_raw_texts_get_the_probabilities_and_labels_of_the_evaluation(trained, model):
    documents, texts, folder, _ = trained
    scores, labels = read_scores(folder / SCORES), documents.labels["topics"]
    thresholds = careful_thresholds(scores["dev"], documents.gold["topics"]["dev"])
    answers = model.classify(texts)
    probabilities = np.array([[answer.probabilities[label] for label in labels] for answer in answers])
    np.testing.assert_allclose(probabilities, scores["test"], atol=1e-5)
    np.testing.assert_allclose(model.thresholds, thresholds)
    expected = [{labels[label] for label in np.flatnonzero(row >= thresholds)} for row in scores["test"]]
    assert [set(answer.labels) for answer in answers] == expected
    assert model.classify(texts[0], batch=1).labels == answers[0].labels
    assert [answer.labels for answer in model.classify(texts, batch=7)] == [answer.labels for answer in answers]


def test_empty_and_unknown_texts_get_the_shares_of_training_and_no_label(trained, model, monkeypatch):
    documents, _, _, _ = trained
    monkeypatch.setattr(model, "thresholds", np.zeros(len(model.labels)))
    shares = documents.gold["topics"]["train"].mean(axis=0)
    for text in ("", " \n\n ", "Zwrb qxtl.", "房间"):
        answer = model.classify(text)
        assert (answer.known_words, answer.labels) == (0, [])
        assert [answer.probabilities[label] for label in documents.labels["topics"]] == pytest.approx(shares.tolist())


def test_paragraphs_are_read_one_after_the_other(model):
    whole, split = model.classify(["They sell 3 in Paris", "They sell\n\n3 in Paris"])
    assert whole.known_words == split.known_words == model.classify("They sell 3 in Paris").known_words


@pytest.mark.parametrize("texts", [[["They", "sell"]], 3, None, ["They sell", 2]])
def test_what_is_no_text_is_refused(model, texts):
    with pytest.raises(InputError, match="classify takes a text or a list of texts"):
        model.classify(texts)


def test_the_command_answers_lines(trained, model, tmp_path):
    _, texts, _, folder = trained
    (tmp_path / "texts.txt").write_text("\n".join([*texts[:2], ""]) + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["labels"] for answer in answers] == [answer.labels for answer in model.classify([*texts[:2], ""])]


def test_a_damaged_folder_is_one_sentence(trained, tmp_path):
    shutil.copytree(trained[3], tmp_path / "m")
    values = json.loads((tmp_path / "m/raw_input.json").read_text())
    (tmp_path / "m/raw_input.json").write_text(json.dumps(values | {"shares": [0.5]}))
    with pytest.raises(InputError, match="expected thresholds and shares of 2 labels"):
        repline.load(tmp_path / "m")
    (tmp_path / "m/raw_input.json").write_text("{}")
    with pytest.raises(InputError, match="'mode' is missing"):
        repline.load(tmp_path / "m")
