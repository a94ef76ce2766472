"""The stages of RRNet on tiny data, its parameters, and what its published numbers and claims say."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import stages
from repline import parameters
from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.evaluation.replication import replicate_files
from repline.systems.rrnet.settings import load
from repline.systems.rrnet.tasks import ExpressionEvaluator
from stages.rrnet import (
    evaluate,
    prepare_math_expressions,
    prepare_propositional_logic,
    train_expressions,
    train_language_model,
    train_relations,
)
from tests.stages import parameter_files

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages/rrnet"
CLAIMS = judgement.read(FOLDER / "claims.yaml")
TABLES = {table.id: table.rows for table in published.read(FOLDER / "published.yaml").tables}


TRAIN = {"expressions": train_expressions, "relations": train_relations, "language_model": train_language_model}


def _variants(values):
    settings = load(values)
    return {task: getattr(settings, task).variants for task in TRAIN}


def _tiny():
    values = parameters.merge(parameter_files.shared(), parameters.read(ROOT / "profiles/tiny.yaml"))
    values["rrnet"]["corpora"]["math_expressions"] |= {"train": 40, "test": 10}
    values["rrnet"]["corpora"]["propositional_logic"]["pairs"] = 800
    values["rrnet"]["language_model"] |= {"vocabulary": 20, "train_tokens": 400, "batch": 4, "steps": 7}
    return values | {"profile": "tiny"}


def _run(monkeypatch, module, *arguments):
    monkeypatch.setattr(sys, "argv", [module.__name__, *arguments])
    module.main()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Data and models of every variant of the tiny profile."""
    folder = tmp_path_factory.mktemp("rrnet")
    (folder / "stages/rrnet").mkdir(parents=True)
    (folder / "stages/rrnet/claims.yaml").write_bytes((FOLDER / "claims.yaml").read_bytes())
    values = _tiny()
    parameter_files.write(folder, values, "hardware", "language_modeling", "rrnet")
    text, words = folder / "data/raw/text", [f"w{number}" for number in range(30)]
    text.mkdir(parents=True)
    random = np.random.default_rng(0)
    for split, lines in {"train": 100, "valid": 20, "test": 20}.items():
        drawn = "".join(" ".join(random.choice(words, 6)) + "\n" for _ in range(lines))
        (text / f"ptb.{split}.txt").write_text(drawn)
    (text / "card.json").write_text(json.dumps({"name": "text", "licence": "CC0", "files": []}))
    settings = {key: values["language_modeling"][key] for key in ("lowercase", "numbers", "punctuation")}
    language_modeling.build(text, folder / "data/corpora/language_modeling", StreamCorpus(**settings))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for prepare in (prepare_math_expressions, prepare_propositional_logic):
            _run(patch, prepare)
        for task, variants in _variants(values).items():
            for variant in variants:
                _run(patch, TRAIN[task], variant)
    return folder


def test_every_variant_is_measured(workspace, monkeypatch, capsys):
    monkeypatch.chdir(workspace)
    _run(monkeypatch, evaluate)
    first = {path: path.read_bytes() for path in (workspace / "data/evaluation/rrnet").rglob("*.json")}
    metrics = json.loads((workspace / "data/evaluation/rrnet/metrics.json").read_text())
    expressions, relations, words = (metrics[task] for task in ("expressions", "relations", "language_model"))
    assert set(expressions) == {"lstm", "supervised", "unsupervised", "random", "imitated", "majority"}
    assert set(relations) == {"lstm", "supervised", "tree_lstm", "transformer", "majority"}
    assert expressions["lstm"]["examples_by_length"] == [0, 0, 0, 10, 10, 10]
    assert set(expressions["supervised"]) >= {"after_1", "after_2", "train_accuracy", "parameters"}
    shares = expressions["supervised"]["operations"]  # 2L of 4L + 1 characters are brackets
    assert shares["split"] == shares["merge"] == pytest.approx((3 + 4 + 5) / (13 + 17 + 21))
    assert "operations" not in expressions["lstm"]
    assert sum(words["rrnet"]["operations"].values()) == pytest.approx(1)
    assert 1 < words["lstm"]["perplexity"] < 40
    repeated = replicate_files.read(workspace / "data/evaluation/rrnet/replicates.parquet")
    assert len(repeated) == 200
    for task, name, key in (
        ("expressions", "supervised", "accuracy_by_length"),
        ("expressions", "lstm", "train_accuracy"),
        ("relations", "tree_lstm", "accuracy_by_length"),
        ("language_model", "rrnet", "perplexity"),
    ):
        values = np.array([replicate[task][name][key] for replicate in repeated], dtype=float)
        point = np.array(metrics[task][name][key], dtype=float)
        assert values.shape == (200, *point.shape)
        is_measured = np.isfinite(point)
        assert (
            np.abs(np.nanmean(values.T[is_measured.T], -1) - point[is_measured]) < 0.1 * point[is_measured] + 0.05
        ).all()
    assert [replicate["expressions"]["lstm"]["after_2"]["accuracy_by_length"] for replicate in repeated] == [
        replicate["expressions"]["lstm"]["accuracy_by_length"] for replicate in repeated
    ]
    assert set(expressions["lstm"]["after_2"]["runs"]) == {"seed_0"}
    assert all(
        claim["verdict"] == "not run" for claim in json.loads(first[workspace / "data/evaluation/rrnet/claims.json"])
    )
    assert len(json.loads(first[workspace / "data/evaluation/rrnet/figures.json"])) == 4
    _run(monkeypatch, evaluate)
    assert first == {path: path.read_bytes() for path in (workspace / "data/evaluation/rrnet").rglob("*.json")}
    assert "RRNet with given trees" in capsys.readouterr().out


def test_the_same_training_gives_the_same_bytes(workspace, monkeypatch):
    monkeypatch.chdir(workspace)
    for task, variant in (("expressions", "unsupervised"), ("language_model", "rrnet")):
        folder = workspace / f"data/models/rrnet/{task}-{variant}"
        first = {path: path.read_bytes() for path in folder.rglob("*.*")}
        _run(monkeypatch, TRAIN[task], variant)
        assert first == {path: path.read_bytes() for path in folder.rglob("*.*")} and first


def test_a_model_is_kept_after_every_number_of_epochs(workspace):
    runs = workspace / "data/models/rrnet/expressions-supervised/seed-0"
    assert {run.name for run in runs.iterdir()} == {"after-1", "after-2"}
    records = [json.loads((runs / name / "training.json").read_text()) for name in ("after-1", "after-2")]
    assert [len(record["history"]) for record in records] == [1, 2]
    assert records[1]["history"][0] == records[0]["history"][0]
    models = [ExpressionEvaluator.from_pretrained(runs / name) for name in ("after-1", "after-2")]
    assert not models[0].readout.weight.equal(models[1].readout.weight)
    assert not list((workspace / "data/scratch").glob("rrnet-*"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"language_model": {"vocabulary": 25}}, "trained with vocabulary 20, and the parameters now say 25"),
        ({"expressions": {"epochs": [3]}}, "after-3/config.json: there is no such file"),
        ({"relations": {"variants": {"new": {"encoder": "lstm"}}}}, "relations-new: there is no trained model"),
    ],
)
def test_models_of_other_parameters_are_not_measured(workspace, monkeypatch, tmp_path, change, message):
    values = parameter_files.read(workspace)
    for task, changes in change.items():
        values["rrnet"][task] |= changes
    parameter_files.write(tmp_path, values)
    (tmp_path / "data").mkdir()
    for name in ("corpora", "models"):
        (tmp_path / "data" / name).symlink_to(workspace / "data" / name)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        _run(monkeypatch, evaluate)
    assert not (tmp_path / "data/evaluation").exists()


@pytest.mark.parametrize(
    ("stage", "change", "message"),
    [
        ("expressions lstm", {"lengths": [3, 6]}, "some expressions of length 6, found 0; see the section"),
        ("expressions lstm", {"expressions": 50}, "expected 50 expressions of length 3, found 40"),
        ("expressions lstm", {"epochs": [2, 1]}, "ascending numbers of epochs"),
        ("relations lstm", {"longest": -1}, "rrnet.relations.longest should be greater than or equal to 1, found -1"),
        ("language_model lstm", {"vocabulary": 5000}, "and 5,000 were asked for"),
        ("language_model lstm", {"corpus": "corpora/absent"}, "data/corpora/absent/card.json: no card"),
        ("expressions best", {}, "expected a variant, one of: lstm, supervised, unsupervised"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, monkeypatch, tmp_path, stage, change, message):
    values = parameter_files.read(workspace)
    task, variant = stage.split()
    values["rrnet"][task] |= change
    parameter_files.write(tmp_path, values)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/corpora").symlink_to(workspace / "data/corpora")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message) as error:
        _run(monkeypatch, TRAIN[task], variant)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "data/models/rrnet").exists() or not list((tmp_path / "data/models/rrnet").iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda section: section.update(expresions={}),
            "unknown parameter 'rrnet.expresions'; did you mean 'expressions'?",
        ),
        (
            lambda section: section["expressions"].update(unit=3),
            "unknown parameter 'rrnet.expressions.unit'; did you mean",
        ),
        (
            lambda section: section["expressions"].update(variants={}),
            "expressions.variants should have at least 1 item",
        ),
        (
            lambda section: section["expressions"]["variants"].update(new={}),
            "rrnet.expressions.variants.new.encoder is miss",
        ),
        (
            lambda section: section["relations"]["variants"]["lstm"].update(encoder="gru"),
            "variants.lstm.encoder should be",
        ),
        (lambda section: section["relations"].update(seeds=[]), "rrnet.relations.seeds should have at least 1 item"),
        (
            lambda section: section["language_model"].update(corpus=None),
            "rrnet.language_model.corpus should be a valid string",
        ),
    ],
)
def test_a_mistake_in_the_parameters_is_found(change, message):
    values = _tiny()
    change(values["rrnet"])
    with pytest.raises(InputError, match=message):
        load(values)


@pytest.mark.parametrize("profile", ["small", "tiny", "real", "paper"])
def test_every_profile_is_sound(profile):
    values = parameter_files.shared()
    if profile != "small":
        values = parameters.merge(values, parameters.read(ROOT / f"profiles/{profile}.yaml"))
    variants = _variants(values)
    assert {"lstm", "supervised"} <= set(variants["expressions"]) and "lstm" in variants["language_model"]


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {"expressions": 15, "words": 2}
    values = [row.value for row in TABLES["expressions"]]
    assert values[5 + 1] - values[1] == pytest.approx(8.1) and values[11] - values[1] == pytest.approx(11.96)


def _by_length(variant):
    rows = {row.item: row.value / 100 for row in TABLES["expressions"] if row.variant == variant}
    return [None] * 4 + [rows[f"L={length}"] for length in range(4, 8)]


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = {
        "expressions": {
            "lstm": {"accuracy_by_length": _by_length("LSTM")},
            "supervised": {"accuracy_by_length": _by_length("Supervised RRNet")},
            "unsupervised": {"accuracy_by_length": _by_length("Unsupervised RRNet")},
        },
        "language_model": {"rrnet": {"perplexity": 107.28}, "lstm": {"perplexity": 113.4}},
    }
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "expressions-given-trees",
        "expressions-every-length",
        "expressions-longer",
        "expressions-gap-widens",
        "expressions-unsupervised-above",
        "expressions-unsupervised-below",
        "words-paper",
        "words-above-lstm",
    }
    assert "fails" not in judged.values()


def test_claims_turn_where_the_encoders_change_places():
    """The mutant of every claim on given trees: the LSTM's accuracies under RRNet's name and the other way round."""
    lstm = {"accuracy_by_length": [None] * 4 + [0.301, 0.206, 0.150, 0.125]}
    rrnet = {"accuracy_by_length": [None] * 4 + [0.462, 0.351, 0.289, 0.240]}
    given_trees = {claim.id for claim in CLAIMS if claim.scale == "small"} - {"expressions-both-learn"}
    for verdict, expressions in (
        ("holds", {"lstm": lstm, "supervised": rrnet, "lstm_wide": lstm}),
        ("fails", {"lstm": rrnet, "supervised": lstm, "lstm_wide": rrnet}),
    ):
        metrics = {"expressions": expressions}
        judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "small", [metrics] * 2)}
        assert {name for name, decided in judged.items() if decided == verdict} == given_trees


@pytest.mark.parametrize(("share", "verdict"), [(0.05, "holds"), (0.2, "fails")])
def test_a_comparison_of_encoders_below_the_most_frequent_value_is_seen(share, verdict):
    accuracies = {"lstm": 0.1, "supervised": 0.15, "majority": share}
    expressions = {name: {"accuracy_by_length": [None] * 4 + [value] * 4} for name, value in accuracies.items()}
    metrics = {"expressions": expressions}
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "small", [metrics] * 2)}
    assert (judged["expressions-both-learn"], judged["expressions-given-trees"]) == (verdict, "holds")
