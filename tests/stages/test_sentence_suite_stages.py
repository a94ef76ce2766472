import json

import numpy as np
import pytest

from repline.sources.acquisition import acquire
from repline.sources.catalogue import load_sources
from repline.vectors import store
from tests.commands import ROOT, run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps


@pytest.fixture
def project(tmp_path):
    """Three encoders: an average, a projection, and given vectors; 200 sentences and a table of pairs."""
    source = load_sources(ROOT / "sources.yaml")["movie_review_sentences"]
    acquire(source, tmp_path / "data/raw/movie_review_sentences")
    mine = tmp_path / "data/corpora/mine"
    mine.mkdir(parents=True)
    (mine / "near.pairs.tsv").write_text("a film\tthe film\t4\nbad\tgood film\t1\nbad film\tgood\t2\n")
    words = ["the", "a", "film", "good", "bad", "movie", "is", "of", "and"]
    store.save(tmp_path / "data/vectors/mine", words, np.random.default_rng(0).normal(size=(9, 4)).astype(np.float32))
    values = parameter_files.shared()["sentence_suite"]
    values |= {
        "encoders": {
            "average": {"folder": "vectors/mine", "untrained": "average"},
            "projection": {"folder": "vectors/mine", "untrained": "random_projection", "options": {"dimensions": 8}},
            "given": {"folder": "sentence_vectors/given"},
        },
        "sources": ["raw/movie_review_sentences", "corpora/mine", "corpora/mine"],
        "folds": 3,
        "inner_folds": 2,
        "penalties": [0.01],
    }
    write_parameters(tmp_path, values)
    return tmp_path


def write_parameters(folder, values):
    parameter_files.write(folder, {"sentence_suite": values})


def run(folder, module, *arguments):
    return run_here(folder, f"stages.sentence_suite.{module}", *arguments)


def give_vectors(project):
    """The sentences that the command line writes, with a vector each that says the class."""
    folders = ["data/raw/movie_review_sentences", "data/corpora/mine"]
    encoded = project / "data/sentence_vectors/given"
    process = run_command(
        project, "repline.evaluation.sentences", "--tasks", *folders, "--sentences", str(encoded / "sentences.txt")
    )
    assert process.returncode == 0, process.stderr
    sentences = (encoded / "sentences.txt").read_text().splitlines()
    np.save(encoded / "vectors.npy", np.random.default_rng(1).normal(size=(len(sentences), 3)))
    return encoded, len(sentences)


def test_all_encoders_on_all_tasks(project):
    give_vectors(project)
    steps = [f"evaluate {name}" for name in ("average", "projection", "given")]
    run_steps(project, *(f"sentence_suite.{step}" for step in [*steps, "tabulate"]))
    folder = project / "data/evaluation/sentence_suite"
    table = json.loads((folder / "table.json").read_text())
    assert [(column["task"], column["items"]) for column in table["columns"]] == [("MR-200", 200), ("near", 3)]
    assert [(row["encoder"], row["dimensions"]) for row in table["rows"]] == [
        ("average", 4),
        ("projection", 8),
        ("given", 3),
    ]
    metrics = json.loads((folder / "metrics.json").read_text())
    assert "replicates" not in metrics["given"]["tasks"]["MR-200"]
    assert metrics["given"]["tasks"]["MR-200"]["value"] == table["rows"][2]["cells"][0]["value"]


def test_a_second_run_takes_the_cached_vectors_and_gives_the_same_bytes(project):
    run_steps(project, "sentence_suite.evaluate projection")
    scores = project / "data/evaluation/sentence_suite/scores/projection.json"
    before = scores.read_bytes()
    cached = sorted((project / "data/scratch/sentence_vectors").rglob("vectors.npy"))
    assert cached
    run_steps(project, "sentence_suite.evaluate projection")
    assert scores.read_bytes() == before
    assert sorted((project / "data/scratch/sentence_vectors").rglob("vectors.npy")) == cached


def test_mistakes_are_one_sentence_and_nothing_is_written(project):
    encoded, number = give_vectors(project)
    vectors = np.ones((number, 2))
    vectors[4] = np.nan
    np.save(encoded / "vectors.npy", vectors)
    values = parameter_files.read(project)["sentence_suite"]
    for change, name, message in (
        ({}, "given", "sentences.txt, line 5"),
        ({}, "other", "other"),
        ({"sources": [*values["sources"], "corpora/none"]}, "average", "data/corpora/none: there is no such file"),
        ({"tasks": ["SST-2"]}, "average", "there is no task SST-2; there are MR-200, near"),
        ({"penalties": [0]}, "average", "sentence_suite.penalties"),
        ({"folds": 1}, "average", "sentence_suite.folds"),
        (
            {"encoders": {"average": {"folder": "v", "untrained": "average", "options": {"dimension": 8}}}},
            "average",
            "'sentence_suite.encoders.average.options.dimension'; did you mean 'dimensions'?",
        ),
    ):
        write_parameters(project, values | change)
        process = run(project, "evaluate", name)
        assert process.returncode == 1 and message in process.stderr, process.stderr
        assert "Traceback" not in process.stderr and len(process.stderr.strip().splitlines()) == 1
    assert not list((project / "data").glob("evaluation/**/*.json"))
    write_parameters(project, values)
    process = run(project, "tabulate")
    assert process.returncode == 1 and "average is not evaluated yet" in process.stderr
