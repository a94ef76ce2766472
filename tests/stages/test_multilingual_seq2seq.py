"""multilingual_seq2seq: published numbers are complete; the stages run on a user's bitext and labelled documents."""

import json
from pathlib import Path

import numpy as np
import pytest

import repline
import stages
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.evaluation.replication.replicate_files import read as read_replicates
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = Path(stages.__file__).parent / "multilingual_seq2seq"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
TABLES = {table["id"]: table["rows"] for table in PUBLISHED["tables"]}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
NAMES = {"en": ["dog", "cat", "man", "bird"], "de": ["hund", "katze", "mann", "vogel"]}
LINES = {"en": "the {0} sees the {1} .", "de": "der {0} sieht den {1} !"}


def cells(table):
    return {(row["item"], row["column"]): row["value"] for row in TABLES[table]}


@pytest.mark.parametrize("table", ["retrieval-none", "retrieval-similarity", "transfer-none", "transfer-similarity"])
def test_the_means_of_the_paper_are_those_of_its_cells(table):
    values = cells(table)
    languages = [column for item, column in values if item == "De" and column != "all"]
    away = []
    for language in languages:
        row = np.mean([values[language, target] for target in languages])
        column = np.mean([values[source, language] for source in languages])
        away += [language] * int(abs(row - values[language, "all"]) > 0.1)
        away += [f"-> {language}"] * int(abs(column - values["all", language]) > 0.1)
    assert away == {"transfer-similarity": ["De"], "retrieval-similarity": ["-> De"]}.get(table, [])
    mean = np.mean([values[source, target] for source in languages for target in languages])
    assert values["all", "all"] == pytest.approx(mean, abs=0.1)
    if table == "transfer-similarity":
        mean = np.mean([values["De", language] for language in languages])
        assert values["De, all put right", "all"] == pytest.approx(mean, abs=0.1)


def test_tables_and_statements_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "senteval": 35,
        "retrieval-none": 49,
        "retrieval-regularised": 21,
        "retrieval-similarity": 49,
        "transfer-none": 49,
        "transfer-similarity": 57,
        "pieces": 4,
        "tuning": 2,
    }
    claim_ids = {claim.id for claim in CLAIMS}
    named = {name for statement in PUBLISHED["statements"] for name in statement["claims"]}
    assert named <= claim_ids
    of_ours = {claim.id for claim in CLAIMS if claim.text.startswith("Ours")}
    assert claim_ids - named == of_ours
    rows = TABLES["senteval"]
    printed, corrected = (
        [row["value"] for row in rows if row["variant"] == name] for name in ("conneau_printed", "conneau")
    )
    assert sorted(printed) == sorted(corrected) and np.mean(corrected[:6]) == pytest.approx(corrected[6], abs=0.1)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """A user's corpus: lines in two languages for training, and a table of documents with labels to test on."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "data/own/mine").mkdir(parents=True)
    (folder / "data/own/documents").mkdir()
    for language, line in LINES.items():
        names = NAMES[language]
        rows = [line.format(names[n % 4], names[n // 4 % 4]) for n in range(48)]
        (folder / f"data/own/mine/mine.{language}.txt").write_text("".join(f"{row}\n" for row in rows), "utf-8")
    for part in ("train", "dev", "test"):
        rows = [
            f"{language}\t{part}{n}\t{'big' if n % 2 else 'small'}\t{NAMES[language][2 * (n % 2)]}\n"
            for language in LINES
            for n in range(8)
        ]
        (folder / f"data/own/documents/{part}.tsv").write_text("".join(rows), "utf-8")
    parameters = {
        "profile": "small",
        "hardware": {"accelerator": "cpu"},
        "parallel": {
            "corpora": {},
            "multiway": {
                "mine": {"source": "own/mine", "languages": ["en", "de"]},
                "kinds": {"source": "own/documents", "form": "documents", "languages": ["en", "de"]},
            },
        },
        "multilingual_seq2seq": {
            "corpora": {
                "mine": {
                    "data": {"texts": "corpora/mine", "languages": ["en", "de"], "dev": 0.2, "test": 0.2},
                    "pairs": [["en", "de"]],
                    "all_ways": ["bag"],
                    "seeds": [0, 1],
                    "recipe": {},
                }
            },
            "tests": {"kinds_of_mine": {"corpus": "mine", "texts": "corpora/kinds"}},
            "recipe": {"dimensions": 6, "units": 3, "layers": 2, "epochs": 1, "learning_rate": 0.01, "batch": 8},
            "variants": {"similarity": {"similarity": 1.0}, "bag": {"kind": "bag", "similarity": 1.0, "seeds": 1}},
            "trainings": {
                "mine_similarity": {"corpus": "mine", "variant": "similarity"},
                "mine_bag": {"corpus": "mine", "variant": "bag"},
            },
            "aligned_words": {"dimensions": 4},
            "classifier": {"penalties": [0.1]},
            "translated": {"sentences": 3, "beam": 2},
        },
    }
    parameter_files.write(folder, parameters)
    (folder / "stages/multilingual_seq2seq").mkdir(parents=True)
    (folder / "stages/multilingual_seq2seq/claims.yaml").write_text(
        (FOLDER / "claims.yaml").read_text("utf-8"), "utf-8"
    )
    run_steps(folder, "parallel.multiway mine", "parallel.multiway kinds")
    return folder


def refused(folder, step):
    result = run_here(folder, *f"stages.{step}".split())
    assert result.returncode == 1 and "Traceback" not in result.stderr and result.stderr.count("\n") == 1
    return result.stderr


def test_a_persons_bitext_and_documents(workspace):
    steps = ("prepare mine", "prepare_test kinds_of_mine", "train mine_similarity", "train mine_bag", "evaluate")
    run_steps(workspace, *(f"multilingual_seq2seq.{step}" for step in steps))
    evaluation = workspace / "data/evaluation/multilingual_seq2seq"
    metrics = json.loads((evaluation / "metrics.json").read_text(encoding="utf-8"))["mine"]
    assert set(metrics) == {"similarity", "bag", "untrained", "aligned_words", "most_frequent"}
    ways = {"texts_mean", "punctuation_mean", "punctuation_max", "windows_mean", "windows_max"}
    assert set(metrics["bag"]["transfer"]["kinds_of_mine"]) == ways
    assert set(metrics["similarity"]["transfer"]["kinds_of_mine"]) == {"texts_mean"}
    assert set(metrics["similarity"]["bleu"]) == {"en_de", "de_en"}
    assert metrics["most_frequent"]["kinds_of_mine"] == {"en": 0.5, "de": 0.5}
    parts = read_replicates(evaluation / "replicates.parquet")
    assert len(parts) == 200 and parts[0]["mine"]["bag"]["retrieval"]["test"]["en"]["de"] is not None
    models = workspace / "data/models/multilingual_seq2seq/mine"
    encoder = repline.load(models / "similarity/seed-0")
    assert encoder.encode(["the dog sees the bird .", "der mann"]).shape == (2, 6)
    assert encoder.language_of(["the dog", "der mann"]) == ["en", "de"]
    with pytest.raises(InputError, match="there is no language 'fr' here; there are en, de"):
        encoder.translate("the dog", "fr")
    with pytest.raises(InputError, match="this model is a bag of words"):
        repline.load(models / "bag/seed-0").translate("the dog", "de")


def test_sides_of_different_length_write_nothing(workspace):
    path = workspace / "data/own/mine/mine.de.txt"
    whole = path.read_text(encoding="utf-8")
    try:
        path.write_text("".join(whole.splitlines(keepends=True)[:-1]), encoding="utf-8")
        (workspace / "data/corpora/mine").rename(workspace / "data/corpora/kept")
        why = refused(workspace, "parallel.multiway mine")
        assert "mine.de.txt has 47 lines, and data/own/mine/mine.en.txt has more" in why
        assert not (workspace / "data/corpora/mine").exists()
    finally:
        path.write_text(whole, encoding="utf-8")
        (workspace / "data/corpora/kept").rename(workspace / "data/corpora/mine")


def merged(old, new):
    combined = dict(old)
    for key, value in new.items():
        combined[key] = merged(old.get(key, {}), value) if isinstance(value, dict) else value
    return combined


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"trainings": {"mine_bag": {"variant": "bog"}}},
            "trainings.mine_bag: there is no variant 'bog'; did you mean 'bag'?",
        ),
        ({"corpora": {"mine": {"all_ways": ["similarty"]}}}, "no variant 'similarty'; did you mean 'similarity'?"),
        ({"trainings": {"similarity": {"corpus": "mime"}}}, "trainings.similarity.variant is missing"),
        ({"tests": {"kinds_of_mine": {"corpus": "mime"}}}, "no corpus 'mime'; did you mean 'mine'?"),
        (
            {"corpora": {"mine": {"data": {"minimum": 3}}}},
            "unknown parameter 'multilingual_seq2seq.corpora.mine.data.minimum'",
        ),
        ({"corpora": {"mine": {"data": {"minimum_count": 999}}}}, "language en has no vocabulary"),
        ({"recipe": {"pooling": "sum"}}, "multilingual_seq2seq.recipe.pooling should be 'mean', 'max' or 'attention'"),
    ],
)
def test_a_mistake_in_the_parameters_is_one_sentence(workspace, tmp_path, change, why):
    parameters = parameter_files.read(workspace)
    parameters["multilingual_seq2seq"] = merged(parameters["multilingual_seq2seq"], change)
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "data").symlink_to(workspace / "data")
    before = sorted(path.name for path in (workspace / "data/corpora").rglob("*"))
    assert why in refused(tmp_path, "multilingual_seq2seq.prepare mine")
    assert sorted(path.name for path in (workspace / "data/corpora").rglob("*")) == before
