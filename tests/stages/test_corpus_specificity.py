"""Corpus specificity: its stages one after another on synthetic texts, and its records."""

import json
import random
import shutil
from pathlib import Path

import pytest
import yaml

import stages
from repline import parameters
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.systems.corpus_specificity.word_tests import read_tests
from stages.corpus_specificity import evaluate, measure_lsa, measure_word2vec, prepare_documents, prepare_tests
from tests.stages import parameter_files

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "corpus_specificity"
CLAIMS = judgement.read(FOLDER / "claims.yaml")
TABLES = {
    table["id"]: table for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
TOPICS = {"fruit": "apple pear plum", "tool": "saw file axe", "bird": "owl wren duck", "metal": "iron tin zinc"}
SETTINGS = {
    "corpus": "raw/texts",
    "documents": {"block": 20},
    "categories": "raw/texts/categories.csv",
    "category_test": {"number": 3, "words": 3, "lowest": 2},
    "synonyms": "raw/texts/synonyms.tsv",
    "synonym_test": {"number": 2},
    "lsa": {"dimensions": [2, 4], "steps": 1, "samples": 2},
    "word2vec": {"dimensions": [4], "window": 3, "negative": 2, "epochs": 1},
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = tmp_path / "data" / "raw" / "texts"
    texts.mkdir(parents=True)
    chance = random.Random(0)
    common = [f"{a}{b}" for a in "bdgkm" for b in ("ana", "eno", "iru", "oto")]
    lines = []
    for number in range(60):
        topic = list(TOPICS.values())[number // 2 % 4].split() if number % 2 else common
        lines.append(" ".join(chance.choice(topic + common) for _ in range(20)) + " the 42 .")
    (texts / "made.txt").write_text("\n".join(lines) + "\n")
    rows = [f"{name},{word}" for name, words in TOPICS.items() for word in words.split()]
    (texts / "categories.csv").write_text("\n".join(["category,word", *rows, "fruit,nowhere"]) + "\n")
    questions = ["apple\tpear\tsaw\towl", "saw\tfile\tapple\ttin", "owl\twren\tzinc\tnowhere", "iron\ttin\tduck\tplum"]
    (texts / "synonyms.tsv").write_text("\n".join(questions) + "\n")
    (tmp_path / "stages" / "corpus_specificity").mkdir(parents=True)
    shutil.copy(FOLDER / "claims.yaml", tmp_path / "stages" / "corpus_specificity")
    write_parameters(SETTINGS)
    return tmp_path


def write_parameters(settings):
    values = parameters.merge(parameter_files.shared(), {"corpus_specificity": settings})
    parameter_files.write(Path(), values, "corpus_specificity")


def outputs(folder):
    files = [path for path in sorted((folder / "data").rglob("*")) if path.is_file() and "scratch" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def run_all():
    for stage in (prepare_documents, prepare_tests, measure_lsa, measure_word2vec, evaluate):
        stage.main()


def test_the_whole_path_twice(project, capsys):
    run_all()
    first = outputs(project)
    run_all()
    assert outputs(project) == first
    assert not measure_word2vec.SCRATCH.exists()
    metrics = json.loads(first["data/evaluation/corpus_specificity/metrics.json"])
    assert metrics["data"]["categories"] == 3
    assert metrics["data"]["usable_categories"] == 4
    assert (metrics["data"]["questions"], metrics["data"]["usable_questions"]) == (2, 3)
    assert metrics["data"]["documents_with_categories"] <= 30 < metrics["data"]["documents"]
    assert set(metrics["lsa"]["categories"]["full"]["scores"]) == {"2", "4"}
    assert metrics["lsa"]["categories"]["out_of_domain"]["sizes"] == [metrics["data"]["documents_with_categories"]]
    assert metrics["lsa"]["synonyms"]["random"]["smallest"]["samples"] == 2
    assert set(metrics["word2vec"]) == {"categories"}
    verdicts = json.loads(first["data/evaluation/corpus_specificity/claims.json"])
    assert {claim["id"] for claim in verdicts} == {claim.id for claim in CLAIMS}
    figures = json.loads(first["data/evaluation/corpus_specificity/figures.json"])
    assert [figure["id"] for figure in figures] == [
        f"{name}-{kind}"
        for name in ("lsa-categories", "lsa-synonyms", "word2vec-categories")
        for kind in ("size", "dimensions")
    ]
    curve = figures[0]["figure"]["data"][0]
    assert curve["x"] == [metrics["data"]["documents_with_categories"], metrics["data"]["documents"]]
    rows = json.loads(first["data/evaluation/corpus_specificity/plots/categories_by_size.json"])
    assert {"model", "documents", "score", "low", "high", "bar"} == set(rows[0])
    declared = yaml.safe_load((FOLDER / "dvc.yaml").read_text())["plots"]
    assert {f"data/evaluation/{next(iter(plot)).split('evaluation/')[1]}" for plot in declared} == {
        name for name in first if "/plots/" in name
    }
    assert "3 of 4 categories" in capsys.readouterr().out


def test_the_rarest_categories_and_whole_questions_are_chosen(project):
    prepare_documents.main()
    prepare_tests.main()
    tests = read_tests("data/corpora/corpus_specificity_tests")
    assert len(tests["categories"].groups) == 3
    assert all(
        len(group) == 3 and set(group) <= set(" ".join(TOPICS.values()).split()) for group in tests["categories"].groups
    )
    assert all("nowhere" not in question for question in tests["synonyms"].groups)


@pytest.mark.parametrize(
    ("section", "key", "value", "stage", "message"),
    [
        (
            "documents",
            "stop_words",
            "none",
            prepare_documents,
            "should be 'scikit-learn' or 'nltk', found 'none'",
        ),
        ("documents", "stop_words", "nltk", prepare_documents, "stopwords.zip: there is no such file"),
        (
            "category_test",
            "number",
            1,
            prepare_tests,
            "category_test.number should be greater than or",
        ),
        ("lsa", "dimensions", 5, measure_lsa, "lsa.dimensions should be"),
        ("lsa", "dimensions", [0, 5], measure_lsa, r"lsa.dimensions\[0\] should be greater than or equal to 1"),
        ("lsa", "samples", 0, measure_lsa, "lsa.samples should be greater than or equal to 1, found 0"),
        ("documents", "block", 0, prepare_documents, "documents.block should be greater than or equal to 1, found 0"),
        (
            "word2vec",
            "tests",
            ["category"],
            measure_word2vec,
            r"tests\[0\] should be 'categories' or 'synonyms', found 'category'",
        ),
        ("word2vec", "frequent", "keep", measure_word2vec, "word2vec.frequent should be"),
    ],
)
def test_a_mistaken_parameter_is_named(project, section, key, value, stage, message):
    prepare_documents.main()
    prepare_tests.main()
    write_parameters(SETTINGS | {section: SETTINGS[section] | {key: value}})
    with pytest.raises(InputError, match=message):
        stage.main()


def known_good():
    """The means of a run as the claims want it, near those of the Wikipedia excerpt."""

    def point(k, best, **scores):
        by_k = {name[1:]: value for name, value in scores.items()}
        return {"best": best, "held_out": best - 0.01, "k": k, "scores": by_k}

    full = point(20, 0.123, k5=0.002, k10=0.067, k20=0.123, k50=0.109, k100=0.099, k300=0.075)
    clean = point(20, 0.147, k5=0.003, k10=0.078, k20=0.147, k50=0.102, k100=0.092, k300=0.054)
    chance = point(100, 0.054, k5=-0.083, k10=0.014, k20=0.029, k50=0.05, k100=0.054, k300=0.036)
    lsa_scores = {"full": full, "out_of_domain": {"smallest": clean}, "random": {"smallest": chance}}
    skip_gram = {
        "full": point(50, 0.141, k50=0.141),
        "out_of_domain": {"smallest": point(50, 0.007), "held_out": [-0.003]},
        "random": {"smallest": point(50, -0.17), "held_out": [-0.18]},
    }
    counted = {"full": {"held_out": 0.036}}
    equal_updates = {"full": skip_gram["full"], "out_of_domain": {"smallest": point(50, 0.1)}}
    return {
        "lsa": {"categories": lsa_scores},
        "word2vec": {"categories": skip_gram},
        "word2vec_equal_updates": {"categories": equal_updates},
        "weighted_counts": {"categories": counted},
    }


def verdicts(metrics, profile="small"):
    return {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, profile, [metrics] * 2)}


def test_every_small_claim_holds_on_a_known_good_run():
    small = {claim.id for claim in CLAIMS if claim.scale == "small"}
    judged = verdicts(known_good())
    assert {name for name, verdict in judged.items() if verdict == "holds"} == small
    assert {verdict for name, verdict in judged.items() if name not in small} == {"not run"}


@pytest.mark.parametrize(
    ("model", "method", "key", "value", "failing"),
    [
        ("lsa", "out_of_domain", "20", 0.1, {"lsa-few-dimensions-gain"}),
        ("lsa", "out_of_domain", "300", 0.08, {"lsa-many-dimensions-lose"}),
        ("lsa", "random", "300", 0.06, {"lsa-random-below-out-of-domain"}),
        ("lsa", "random", "50", 0.2, {"lsa-random-loses", "lsa-random-below-out-of-domain"}),
        ("word2vec", "random", "held_out", 0.1, {"word2vec-random-loses-more"}),
        ("word2vec", "out_of_domain", "held_out", 0.2, {"word2vec-out-of-domain-loses", "lsa-gains-more"}),
    ],
)
def test_a_claim_that_misses_fails(model, method, key, value, failing):
    metrics = known_good()
    smallest = metrics[model]["categories"][method]["smallest"]
    (smallest if key == "held_out" else smallest["scores"])[key] = value
    assert {name for name, verdict in verdicts(metrics).items() if verdict == "fails"} == failing


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = known_good()
    categories = metrics["lsa"]["categories"]
    categories["full"] |= {"k": 100, "best": 0.1}
    categories["full"]["scores"] |= {"100": 0.1}
    categories["out_of_domain"]["smallest"] |= {"k": 20, "best": 0.1}
    categories["out_of_domain"]["smallest"]["scores"] |= {"100": 0.045}
    metrics["word2vec"]["synonyms"] = {"out_of_domain": {"p": [0.31]}}
    judged = verdicts(metrics, "paper")
    expected = {
        "lsa-best-dimensions",
        "lsa-dimensions-kept",
        "lsa-dimensions-kept-best",
        "synonyms-word2vec-not-significant",
    }
    assert {name for name in expected if judged[name] == "holds"} == expected


def test_all_numbers_of_the_text_are_published():
    values = {name: [row["value"] for row in table["rows"]] for name, table in TABLES.items()}
    assert values == {
        "best-dimensions": [100, 20],
        "dimensions-kept": [-55, -55],
        "synonyms-significance": [0.31],
        "corpus": [37000, 5000000, 53, 10, 80, 20, 10],
    }


@pytest.mark.parametrize("profile", ["tiny", "real", "paper"])
def test_profiles_name_sources_that_they_acquire(profile):
    values = parameters.merge(parameter_files.shared(), parameters.read(ROOT / "profiles" / f"{profile}.yaml"))
    section = values["corpus_specificity"]
    for key in ("corpus", "categories"):
        kind, name, *_ = section[key].split("/")
        assert kind != "raw" or name in values["acquire"]["sources"]
    assert section["documents"]["stop_words"] != "nltk" or section["corpus"] == "raw/english_prose"
