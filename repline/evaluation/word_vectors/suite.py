"""Every test of word vectors in one list, and the measures of some vectors in them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repline.errors import InputError, shown
from repline.evaluation.nested_measures import Measures
from repline.evaluation.word_vectors.analogy import analogy
from repline.evaluation.word_vectors.benchmark_files import (
    read_analogies,
    read_categories,
    read_outliers,
    read_pairs,
    read_relations,
    read_synonyms,
)
from repline.evaluation.word_vectors.categorization import categorization
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.outliers import outlier_detection
from repline.evaluation.word_vectors.recipes import Measuring
from repline.evaluation.word_vectors.semeval_relations import semeval_relations
from repline.evaluation.word_vectors.similarity import similarity
from repline.evaluation.word_vectors.suite_records import Task, VectorsResult
from repline.evaluation.word_vectors.synonyms import synonyms
from repline.segmentation.characters import converter


@dataclass(frozen=True)
class Test:
    """One test: its name, the task, the files of a source that hold it, and the language of its words."""

    name: str
    task: Task
    source: str
    files: tuple[str, ...]
    language: str = "en"  # of the words
    conversion: str | None = None  # of OpenCC, of the words in the files
    sectioned: bool = True  # whether the questions of a text stand under the names of sections

    @property
    def metric(self) -> str:
        """The name of the test as that of a metric: SimLex-999 -> simlex_999."""
        return re.sub(r"\W", "_", self.name.lower())


@dataclass(frozen=True)
class Measure:
    """One column of the table: a number of a task's result, the same number with missing words penalised, its name."""

    title: str
    value: str
    penalised: str


MEASURES: dict[Task, Measure] = {
    "similarity": Measure("Spearman", "spearman", "spearman_penalised"),
    "analogy": Measure("accuracy, 3CosAdd", "accuracy", "accuracy_penalised"),
    "categorization": Measure("purity", "purity", "purity_penalised"),
    "relations": Measure("Spearman", "spearman", "spearman_penalised"),
    "synonyms": Measure("accuracy", "accuracy", "accuracy_penalised"),
    "outliers": Measure("accuracy", "accuracy", "accuracy_penalised"),
}

DEFAULTS = Measuring()
PLAIN: dict[str, Callable[..., Measures]] = {
    "similarity": similarity,
    "relations": semeval_relations,
    "synonyms": synonyms,
    "outliers": outlier_detection,
}


def _tests(
    source: str, task: Task, /, language: str = "en", conversion: str | None = None, **files: str
) -> tuple[Test, ...]:
    return tuple(
        Test(name.replace("_", "-"), task, source, (file,), language, conversion) for name, file in files.items()
    )


TESTS = (
    *_tests("word_benchmarks", "similarity", SimLex_999="simlex999.txt", WordSim_353="wordsim353.tsv"),
    *_tests(
        "word_benchmarks_en",
        "similarity",
        WordSim_353_sim="wordsim353-sim.csv",
        WordSim_353_rel="wordsim353-rel.csv",
        MEN="men.csv",
        RG_65="rg-65.csv",
        MC_30="mc-30.csv",
        MTurk_287="mturk-287.csv",
        MTurk_771="mturk-771.csv",
        RW="rw.csv",
        SimVerb_3500="simverb-3500.csv",
    ),
    *_tests("word_benchmarks", "analogy", Google="questions-words.txt"),
    *_tests("word_benchmarks_en", "analogy", MSR="msr.csv", JAIR="jair.csv"),
    *_tests("word_benchmarks_en", "relations", SemEval_2012_2="semeval.csv"),
    *_tests(
        "word_benchmarks_en",
        "categorization",
        AP="ap.csv",
        BLESS="bless.csv",
        Battig="battig.csv",
        ESSLLI_2008="essli-2008.csv",
    ),
    *_tests("word_benchmarks_made", "synonyms", WordNet_synonyms="synonyms.tsv"),
    *_tests("word_benchmarks_made", "outliers", WordNet_outliers="outliers.txt"),
    *_tests("word_benchmarks_zh_made", "analogy", "zh", CC_CEDICT_capitals_zh="analogy.txt"),
    *_tests("word_benchmarks_zh", "similarity", "zh", WordSim_240_zh="240.txt", WordSim_297_zh="297.txt"),
    *_tests("word_benchmarks_zh", "similarity", "zh", "t2s", SimLex_zh="SimLex-999_translated.txt"),
    *_tests("word_benchmarks_zh", "analogy", "zh", Chen_zh="analogy.txt"),
    *_tests(
        "word_benchmarks_zh_traditional",
        "similarity",
        "zh-tw",
        WordSim_240_zh_tw="240_trad.txt",
        WordSim_297_zh_tw="297_trad.txt",
        SimLex_zh_tw="SimLex-999_translated.txt",
    ),
    *_tests("word_benchmarks_zh_traditional", "analogy", "zh-tw", Chen_zh_tw="analogy_trad.txt"),
    *_tests("word_benchmarks_tr", "similarity", "tr", WordSimTr="WordSimTr.txt", AnlamVer="AnlamVer_similarity.txt"),
    Test("SynAnalogyTr", "analogy", "word_benchmarks_tr", ("SynAnalogyTr.txt",), "tr", sectioned=False),
    *_tests("simlex_multilingual", "similarity", "hr", SimLex_hr="simlex-croatian.txt"),
    *_tests("simlex_multilingual", "similarity", "de", SimLex_de="simlex-german.txt"),
    *_tests("simlex_multilingual", "similarity", "he", SimLex_he="simlex-hebrew.txt"),
    *_tests("simlex_multilingual", "similarity", "it", SimLex_it="simlex-italian.txt"),
    *_tests("simlex_multilingual", "similarity", "ru", SimLex_ru="simlex-russian.txt"),
    *_tests("wordsim353_multilingual", "similarity", "de", WordSim_353_de="wordsim353-german.txt"),
    *_tests("wordsim353_multilingual", "similarity", "it", WordSim_353_it="wordsim353-italian.txt"),
    *_tests("wordsim353_multilingual", "similarity", "ru", WordSim_353_ru="wordsim353-russian.txt"),
)
SOURCES = tuple(dict.fromkeys(test.source for test in TESTS))
LANGUAGES = tuple(dict.fromkeys(test.language for test in TESTS))


def tests_of(source: str, language: str | None = None) -> list[Test]:
    """The tests that a source holds; InputError if it holds none.

    Args:
        language: only those for vectors of this language, as zh, zh-tw (traditional characters) or tr; zh-cn is zh.
    """
    source_tests = [test for test in TESTS if test.source == source]
    if not source_tests:
        raise InputError(f"{source}: no test of word vectors comes from this source; there are {', '.join(SOURCES)}")
    if language is None:
        return source_tests
    code = language.lower() if language.lower() in LANGUAGES else language.lower().partition("-")[0]
    tests = [test for test in source_tests if test.language == code]
    if not tests:
        spoken = ", ".join(dict.fromkeys(test.language for test in source_tests))
        raise InputError(
            f"{source}: no test in it for vectors of the language {shown(language)}; its tests are in {spoken}"
        )
    return tests


def similarity_tests(source: str, raw: str | Path) -> dict[str, tuple[list[tuple[str, str]], list[float]]]:
    """The pairs and scores of the tests of word similarity that a source holds, by `Test.metric`.

    Args:
        raw: the folder that has the folder of the source.

    Raises:
        InputError: as `tests_of` and `read`.
    """
    similar = [test for test in tests_of(source) if test.task == "similarity"]
    return {test.metric: read_pairs(Path(raw) / source / test.files[0]) for test in similar}


def sources_of(language: str) -> list[str]:
    """The sources that hold tests for vectors of a language."""
    return list(dict.fromkeys(test.source for test in TESTS if test.language == language))


def read(test: Test, folder: str | Path) -> tuple[Any, ...]:
    """What `measure` needs of one test.

    Args:
        folder: of the test's source (`data/raw/<source>`).

    Raises:
        InputError: a file of the test is missing or malformed.
    """
    paths = [Path(folder) / file for file in test.files]
    if test.conversion:
        return _converted(test, paths[0])
    match test.task:
        case "similarity":
            return read_pairs(paths[0])
        case "analogy":
            return read_analogies(paths[0], sectioned=test.sectioned)
        case "categorization":
            return read_categories(paths[0])
        case "relations":
            return (read_relations(paths[0]),)
        case "synonyms":
            return (read_synonyms(paths[0]),)
    return (read_outliers(*paths),)


def _converted(test: Test, path: Path) -> tuple[Any, ...]:
    if test.task != "similarity":
        raise ValueError(f"{test.name}: only pairs of words can be converted")
    convert = converter(test.conversion)
    pairs, scores = read_pairs(path)
    return [(convert(first), convert(second)) for first, second in pairs], scores


def measure(
    embedding: Embedding, task: Task, items: tuple[Any, ...], options: Measuring = DEFAULTS, **changes: Any
) -> Measures:
    """The result of one test, whose items are as `read` gives them.

    Args:
        options: how analogies and categories are measured.
        changes: of `options`.

    Returns:
        what the function of the task returns, and for analogies 3CosMul under "mul".
    """
    options = Measuring(**options.model_dump(include=set(Measuring.model_fields)) | changes)
    if task == "analogy":
        scores = analogy(embedding, *items, vocabulary=options.vocabulary)
        if options.multiplication:
            scores["mul"] = analogy(embedding, *items, method="mul", vocabulary=options.vocabulary)
        return scores
    if task == "categorization":
        return categorization(embedding, *items, seed=options.seed)
    return PLAIN[task](embedding, *items)


def evaluate(embedding: Embedding, test: Test, folder: str | Path, options: Measuring = DEFAULTS) -> Measures:
    """The result of one test in the folder of its source; InputError as of `read`."""
    return measure(embedding, test.task, read(test, folder), options)


def evaluate_sources(
    embedding: Embedding,
    sources: Iterable[str],
    raw: str | Path,
    options: Measuring = DEFAULTS,
    *,
    language: str | None = None,
    report: Callable[[Test, VectorsResult], None] | None = None,
) -> VectorsResult:
    """The results of all tests of some sources, as `repline.evaluation.word_vectors.suite_table.table` takes them.

    Args:
        raw: the folder that has the folders of the sources.
        language: of the vectors; only tests in it are made. None for all tests.
        report: called after each test with it and the results so far.

    Raises:
        InputError: as `tests_of` and `read`.
    """
    results: VectorsResult = {"words": len(embedding), "dimensions": int(embedding.matrix.shape[1]), "tests": {}}
    if language:
        results["language"] = language
    for source in dict.fromkeys(sources):
        for test in tests_of(source, language):
            results["tests"][test.name] = evaluate(embedding, test, Path(raw) / source, options)
            if report:
                report(test, results)
    return results
