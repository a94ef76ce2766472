"""The stages of concreteness, run for real on little data."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import stages
from repline import parameters
from repline.errors import InputError
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet import synsets as wordnet
from repline.vectors.store import save
from tests.stages import parameter_files

ROOT = Path(stages.__file__).parent.parent
SAMPLE = "train taxonomy sample"
ORDER = (
    "prepare_taxonomy",
    "prepare_language",
    "prepare taxonomy",
    "train taxonomy whole",
    SAMPLE,
    "measure_coefficients taxonomy",
    "train_across",
    "train_lexicon",
    "evaluate",
)
LETTERS = "abcdefghij"
WORDS = [f"q{a}{b}{c}" for a in LETTERS for b in LETTERS for c in "abcdef"]


def run(folder, stage):
    """In this process, which has imported everything already."""
    name, *arguments = stage.split()
    module = importlib.import_module(f"stages.concreteness.{name}")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", [name, *arguments])
        module.main()


def run_alone(folder, stage):
    return subprocess.run(
        [sys.executable, "-m", *f"stages.concreteness.{stage}".split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )


def a_wordnet():
    """Every third word is physical, every third is not, and every third has a sense of each kind."""
    physical_ids, abstract_ids = ["thing"], ["idea"]
    synsets = []
    for number, word in enumerate(WORDS):
        kinds = {0: "t", 1: "i", 2: "ti"}[number % 3]
        for kind in kinds:
            synsets.append(wordnet.Synset(f"{kind}{number}", "n", (word,)))
            (physical_ids if kind == "t" else abstract_ids).append(f"{kind}{number}")

    def root(identifier, lemma, below):
        pointers = tuple(wordnet.Pointer("hyponym", identifier_below) for identifier_below in below)
        return wordnet.Synset(identifier, "n", (lemma,), pointers)

    synsets += [root("thing", "physical_entity", physical_ids[1:]), root("idea", "abstraction", abstract_ids[1:])]
    return wordnet.WordNet(synsets)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("concreteness")
    values = parameter_files.shared()
    values = parameters.merge(values, parameters.read(ROOT / "profiles" / "tiny.yaml")) | {"profile": "tiny"}
    values["concreteness"]["language"]["rated"] = 250
    parameter_files.write(folder, values, "concreteness")
    (folder / "stages").mkdir()
    (folder / "stages" / "concreteness").symlink_to(ROOT / "stages" / "concreteness")
    random = np.random.default_rng(0)
    vectors = random.normal(size=(len(WORDS), 20)) + 0.3 * random.normal(size=20)
    vectors[:, 0] += 3 * np.array([{0: 1, 1: -1, 2: 0}[number % 3] for number in range(len(WORDS))])
    save(folder / "data/vectors/glove-6b-50d", WORDS, vectors)
    wordnet_files.save(a_wordnet(), folder / "data/lexicons/wordnet", name="w", licence="none", sources=[])
    for stage in ORDER:
        run(folder, stage)
    return folder


def test_everything_is_written(project):
    for file in ("metrics", "claims", "figures", "plots/within", "plots/across", "plots/spread"):
        assert json.loads((project / f"data/evaluation/concreteness/{file}.json").read_text())
    verdicts = json.loads((project / "data/evaluation/concreteness/claims.json").read_text())
    assert {claim["verdict"] for claim in verdicts} == {"not run"}  # a claim is judged from the small profile on
    small = [claim for claim in verdicts if claim["scale"] == "small"]
    assert small
    unmeasured = {claim["id"] for claim in small if claim["measured"] is None}
    assert unmeasured == {"across-unsupervised-made"}  # there are no 500 pairs to compare it with


def test_what_is_there_is_found(project):
    metrics = json.loads((project / "data/evaluation/concreteness/metrics.json").read_text())
    whole = metrics["within"]["taxonomy"]["whole"]["concreteness"]
    assert whole["svr"]["spearman"] > 0.8
    assert whole["words"] == 300
    assert abs(metrics["within"]["taxonomy"]["sample"]["concreteness"]["frequency"]["spearman"]) < 0.3
    assert metrics["spread"]["taxonomy"]["concreteness"]["dimensions_for_half"] == 1
    across = metrics["across"]["taxonomy_made_language"]
    assert across["concreteness"]["all"]["svr"] > 0.5
    assert 0 < across["concreteness"]["coverage"] < 1
    assert set(across["alignments"]) >= {"orthogonal_60", "least_squares_120", "refined", "unsupervised"}


def test_the_lexicon_rates_every_word_in_order(project):
    table = pq.read_table(project / "data/lexicons/concreteness/ratings.parquet")
    assert table["word"].to_pylist() == WORDS[:500]
    predicted = table["concreteness"].to_numpy()
    assert predicted[0::3].mean() > predicted[2::3].mean() + 0.5 > predicted[1::3].mean() + 1


def test_a_second_run_writes_the_same_bytes(project):
    models = ("data/models/concreteness", "data/corpora/concreteness")
    outputs = (*models, "data/evaluation/concreteness", "data/corpora/made_language")

    def content():
        files = sorted(path for folder in outputs for path in (project / folder).rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in files}

    before = content()
    for stage in ORDER[2:]:
        run(project, stage)
    assert run_alone(project, "prepare_language").returncode == 0  # another process hashes otherwise
    assert content() == before


@pytest.mark.parametrize(
    ("path", "value", "stage", "message"),
    [
        ("svr.gama", 1.0, SAMPLE, "unknown parameter 'concreteness.svr.gama'; did you mean 'gamma'"),
        ("ffn.epochs", "many", SAMPLE, "concreteness.ffn.epochs should be a valid integer, found 'many'"),
        ("parts.sample.methods", ["svm"], SAMPLE, "concreteness.parts.sample.methods[0] should be 'svr', "),
        (
            "ratings.taxonomy",
            {"plaice": "x"},
            "evaluate",
            "ratings.taxonomy.plaice'; did you mean 'place'?",
        ),
        ("folds", 1, "evaluate", "concreteness.folds should be greater than or equal to 2, found 1"),
        ("across.ratings", "corpora/nothing", "train_across", "corpora/nothing: there is no such file"),
        ("language.nois", 1.0, "prepare_language", "unknown parameter 'concreteness.language.nois'"),
        ("lexicon.ratings", "vectors/glove-6b-50d", "train_lexicon", "expected"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(project, path, value, stage, message):
    text = (project / "params.yaml").read_text()
    values = parameter_files.read(project)
    *section_names, key = path.split(".")
    section = values["concreteness"]
    for name in section_names:
        section = section[name]
    section[key] = value
    parameter_files.write(project, values)
    before = {file: file.stat().st_mtime_ns for file in (project / "data").rglob("*") if file.is_file()}
    try:
        with pytest.raises(InputError) as caught:
            run(project, stage)
    finally:
        (project / "params.yaml").write_text(text)
    assert message in str(caught.value)
    assert {file: file.stat().st_mtime_ns for file in (project / "data").rglob("*") if file.is_file()} == before


def test_the_name_of_the_ratings_has_to_be_known(project):
    with pytest.raises(InputError, match="expected the name of some ratings, one of: taxonomy"):
        run(project, "prepare nothing")
