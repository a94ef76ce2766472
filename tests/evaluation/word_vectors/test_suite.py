import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from gensim.test.utils import datapath

from repline.errors import InputError
from repline.evaluation.word_vectors import suite, suite_table
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.project_files import CHECKOUT
from repline.sources.catalogue import load_sources
from tests.commands import run_command

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    """A text file of vectors for the words of WordSim-353, without some of them."""
    pairs, _ = read_pairs(datapath("wordsim353.tsv"))
    words = sorted({word.lower() for pair in pairs for word in pair})[30:]
    matrix = np.random.default_rng(0).standard_normal((len(words), 8)).round(4)
    path = tmp_path_factory.mktemp("vectors") / "mine.txt"
    lines = [f"{len(words)} 8"] + [" ".join([word, *map(str, row)]) for word, row in zip(words, matrix, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path, Embedding(words, matrix)


def command(*arguments, cwd):
    return run_command(cwd, "repline.evaluation", *map(str, arguments), without=("REPLINE_MIRROR",))


def test_every_test_is_in_the_catalogue():
    sources = load_sources(ROOT / "sources.yaml")
    assert len({test.name for test in suite.TESTS}) == len(suite.TESTS)
    for test in suite.TESTS:
        assert set(test.files) <= {file.name for file in sources[test.source].files}, test
        assert test.task in suite.MEASURES
    offline = [sources[name] for name in ("word_benchmarks", "word_benchmarks_made")]
    assert {origin.kind for source in offline for file in source.files for origin in file.places} == {"package", "made"}


def test_unknown_source():
    assert [test.name for test in suite.tests_of("word_benchmarks")] == ["SimLex-999", "WordSim-353", "Google"]
    with pytest.raises(InputError, match="no test of word vectors comes from this source"):
        suite.tests_of("wikipedia_en")


def test_evaluates_each_task(tmp_path):
    (tmp_path / "pairs.csv").write_text("word1,word2,similarity\na,b,3\nc,d,2\na,c,1\n")
    (tmp_path / "analogies.csv").write_text("type,word1,word2,word3,target\ns,a,b,c,d\n")
    (tmp_path / "categories.csv").write_text("category,word\nx,a\nx,b\ny,c\ny,d\n")
    (tmp_path / "synonyms.txt").write_text("a\tb\tc\n")
    (tmp_path / "group.txt").write_text("a\nb\n\nc\n")
    embedding = Embedding(list("abcd"), np.array([[1, 0, 0], [1, 0.1, 0], [0, 0, 1], [0.1, 0.2, 1]]))
    files = {"similarity": "pairs", "analogy": "analogies", "categorization": "categories", "relations": "analogies"}
    files = {task: f"{name}.csv" for task, name in files.items()} | {
        "synonyms": "synonyms.txt",
        "outliers": "group.txt",
    }
    assert files.keys() == suite.MEASURES.keys()
    for task, file in files.items():
        result = suite.evaluate(embedding, suite.Test(task, task, "source", (file,)), tmp_path)
        measure = suite.MEASURES[task]
        assert {measure.value, measure.penalised, "coverage", "kept"} <= result.keys(), task
        assert result["coverage"] == 1
        if task == "analogy":
            assert result["correct"] == result["mul"]["correct"] == 1
        if task in ("similarity", "categorization", "synonyms", "outliers"):
            assert result[measure.value] == pytest.approx(1), task


def test_table_by_hand():
    similar = {"spearman": 0.5, "spearman_penalised": 0.25, "coverage": 0.5, "pairs": 10, "kept": 5}
    nothing = {"spearman": None, "spearman_penalised": None, "coverage": 0.0, "pairs": 10, "kept": 0}
    google = {"accuracy": 0.75, "accuracy_penalised": 0.75, "coverage": 1.0, "questions": 4, "kept": 4}
    results = {
        "first": {"words": 1000, "dimensions": 50, "tests": {"Google": google, "SimLex-999": similar}},
        "second": {"words": 20, "dimensions": 3, "tests": {"SimLex-999": nothing}},
    }
    described = suite_table.table(results)
    assert [(column["test"], column["measure"], column["items"]) for column in described["columns"]] == [
        ("SimLex-999", "Spearman", 10),
        ("Google", "accuracy, 3CosAdd", 4),
    ]
    first, second = described["rows"]
    assert first["cells"][0] == {"value": 0.5, "penalised": 0.25, "coverage": 0.5}
    assert second["cells"] == [{"value": None, "penalised": None, "coverage": 0.0}, None]
    assert (second["vectors"], second["words"], second["dimensions"]) == ("second", 20, 3)
    lines = suite_table.as_text(described).splitlines()
    assert lines[1].split() == ["SimLex-999", "Spearman", "10", "0.5000", "0.2500", "50.0%", "-", "-", "0.0%"]
    assert lines[2].split()[-6:] == ["0.7500", "0.7500", "100.0%", "-", "-", "-"]


def test_a_file_of_vectors_in_one_line(vectors, tmp_path):
    path, embedding = vectors
    process = command(path, "--json", tmp_path / "scores.json", cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    lines = [line.split() for line in process.stdout.splitlines()]
    assert lines[0] == ["test", "measure", "items", "mine.txt", "penalised", "coverage"]
    expected = similarity(embedding, *read_pairs(datapath("wordsim353.tsv")))
    assert 0 < expected["coverage"] < 1
    assert lines[2] == [
        "WordSim-353",
        "Spearman",
        "353",
        f"{expected['spearman']:.4f}",
        f"{expected['spearman_penalised']:.4f}",
        f"{expected['coverage']:.1%}",
    ]
    assert "set REPLINE_MIRROR" in process.stdout
    written = json.loads((tmp_path / "scores.json").read_text())
    assert written["mine.txt"]["tests"]["WordSim-353"]["kept"] == expected["kept"]
    assert list(written["mine.txt"]["tests"]["Google"]["sections"])  # every number, not those of the table alone
    assert [file.name for file in tmp_path.iterdir()] == ["scores.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.txt", "--tests", datapath("wordsim353.tsv"), "--task", "similarity"], "there is no such file"),
        (["{vectors}", "--vocabulary", "0"], "expected at least 1 word"),
        (["{vectors}", "--sources", "word_benchmarks_en"], "REPLINE_MIRROR is not set"),
    ],
)
def test_a_mistake_is_one_sentence(vectors, tmp_path, arguments, message):
    if "word_benchmarks_en" in arguments:  # it is on the web too; here a catalogue that has the mirror alone
        source = yaml.safe_load((ROOT / "sources.yaml").read_text())["word_benchmarks_en"]
        for file in source["files"]:
            file["places"] = [origin for origin in file["places"] if "https" not in origin]
        for name in CHECKOUT:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
        (tmp_path / "sources.yaml").write_text(yaml.safe_dump({"word_benchmarks_en": source}, sort_keys=False))
    process = command(*[argument.format(vectors=vectors[0]) for argument in arguments], cwd=tmp_path)
    assert process.returncode == 1
    assert message in process.stderr
    assert "Traceback" not in process.stderr
    assert process.stdout == ""


def test_tests_by_language():
    assert [test.name for test in suite.tests_of("simlex_multilingual", "de")] == ["SimLex-de"]
    simplified = [test.name for test in suite.tests_of("word_benchmarks_zh", "zh")]
    assert simplified == [test.name for test in suite.tests_of("word_benchmarks_zh", "zh-CN")]
    assert simplified == ["WordSim-240-zh", "WordSim-297-zh", "SimLex-zh", "Chen-zh"]
    assert len(suite.tests_of("word_benchmarks_zh_traditional", "zh-tw")) == 4
    assert suite.sources_of("en") == ["word_benchmarks", "word_benchmarks_en", "word_benchmarks_made"]
    with pytest.raises(InputError, match="for vectors of the language 'tr'; its tests are in zh"):
        suite.tests_of("word_benchmarks_zh", "tr")


def test_words_in_traditional_characters_are_converted(tmp_path):
    (test,) = [test for test in suite.TESTS if test.name == "SimLex-zh"]
    (tmp_path / test.files[0]).write_text("聰明 伶俐 9.2\n難 困難 8.77\n", encoding="utf-8")
    assert suite.read(test, tmp_path) == ([("聪明", "伶俐"), ("难", "困难")], [9.2, 8.77])


def test_questions_without_sections(tmp_path):
    (test,) = [test for test in suite.TESTS if test.name == "SynAnalogyTr"]
    (tmp_path / test.files[0]).write_text("beste besteler kitap kitaplar\n", encoding="utf-8")
    assert suite.read(test, tmp_path) == ([("beste", "besteler", "kitap", "kitaplar")], ["all"])


def test_the_command_takes_tests_of_the_language(vectors, tmp_path):
    failed = command(vectors[0], "--language", "tr", cwd=tmp_path)
    assert failed.returncode == 1
    assert "--language tr: no test comes with the packages" in failed.stderr
