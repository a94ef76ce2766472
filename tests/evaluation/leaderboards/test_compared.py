"""`repline evaluate ... --compare` of each kind, on small inputs whose better candidate is known."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.evaluation.classification.__main__ import _accuracy_interval
from repline.evaluation.leaderboards.leaderboard import leaderboard
from repline.evaluation.replication.fisher_interval import fisher
from repline.evaluation.replication.weighted_draws import mean_of_draws, weights_of
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.compared_vectors import compared
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.recipes import Measuring
from repline.evaluation.word_vectors.semeval_relations import Relation
from repline.report.documentation.page_examples import examples, run
from repline.use.text_classifier import TextClassifier
from repline.vectors import store
from tests.commands import ROOT

WORDS = [f"w{number}" for number in range(60)]


def evaluate(*arguments):
    """What the command prints, and the leaderboard that it writes."""
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def verdicts(board, test=0):
    return {(row["first"], row["second"]): row["verdict"] for row in board["tests"][test]["differences"]}


@pytest.fixture
def vectors(tmp_path):
    """Three vectors of 60 words on a half circle: of all, of all but at random, and of the first 40."""
    angles = np.linspace(0, np.pi, len(WORDS))
    right = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    wrong = np.random.default_rng(0).normal(size=right.shape).astype(np.float32)
    for name, matrix in (("right", right), ("wrong", wrong), ("twin", right)):
        store.save(tmp_path / name, WORDS, matrix)
    store.save(tmp_path / "narrow", WORDS[:40], right[:40])
    pairs = np.random.default_rng(1).integers(len(WORDS), size=(120, 2))
    lines = [f"{WORDS[a]},{WORDS[b]},{np.cos(angles[a] - angles[b]):.4f}\n" for a, b in pairs]
    (tmp_path / "near.csv").write_text("word1,word2,similarity\n" + "".join(lines))
    return tmp_path


def test_vectors(vectors):
    candidates = [vectors / name for name in ("right", "twin", "narrow", "wrong")]
    files = ("--json", vectors / "board.json", "--figure", vectors / "board.html")
    text = evaluate("vectors", "--compare", *candidates, "--tests", vectors / "near.csv", *files)
    board = json.loads((vectors / "board.json").read_text())
    (test,) = board["tests"]
    answered = {row["candidate"]: row["answered"] for row in test["standings"]}
    assert answered == {"right": 120, "twin": 120, "narrow": test["shared"], "wrong": 120}
    assert 0 < test["shared"] < test["items"] == 120
    assert verdicts(board) == {
        ("right", "twin"): "undecided",
        ("right", "narrow"): "undecided",
        ("right", "wrong"): "holds",
        ("twin", "narrow"): "undecided",
        ("twin", "wrong"): "holds",
        ("narrow", "wrong"): "holds",
    }
    assert {row["candidate"]: row["rank"] for row in test["standings"]} == {
        "right": 1,
        "twin": 1,
        "narrow": 1,
        "wrong": 4,
    }
    assert "right above wrong: holds" in text and (vectors / "board.html").exists()


RELATION = "".join(f"{name},w{n},w{n + 3},w{4 * n},w{4 * n + n % 5 + 1}\n" for name in "xy" for n in range(12))
TASKS = {  # a file with items that all words of the vectors are enough for
    "synonyms": "".join(f"w{n}\tw{n + 1}\tw{n + 20}\n" for n in range(30)),
    "outliers": "\n".join(f"w{n}\nw{n + 1}\nw{n + 2}\n\nw{59 - n}\n" for n in range(20)),
    "categorization": "category,word\n" + "".join(f"{n // 30},{word}\n" for n, word in enumerate(WORDS)),
    "analogy": ": s\n" + "".join(f"w{n} w{n + 1} w{n + 20} w{n + 21}\n" for n in range(20)),
    "relations": "type,word1,word2,word3,target\n" + RELATION,
}


@pytest.mark.parametrize("task", TASKS)
def test_numbers_are_those_of_the_suite_where_all_words_are_known(tmp_path, vectors, task):
    name = "mine.csv" if task in ("categorization", "relations") else "mine.txt"
    (tmp_path / name).write_text(TASKS[task])
    test = suite.Test("mine", task, "own", (name,))
    items = suite.read(test, tmp_path)
    embeddings = {kind: Embedding.of(store.load(vectors / kind)) for kind in ("right", "wrong")}
    shared = compared(test, items, embeddings)
    assert shared.shared == shared.items
    (board,) = leaderboard([shared], replicates=50)["tests"]
    for row in board["standings"]:
        alone = suite.measure(embeddings[row["candidate"]], task, items)
        assert row["value"] == pytest.approx(alone[suite.MEASURES[task].value])
        assert row["answered"] == shared.items


@pytest.mark.parametrize("task", TASKS)
def test_fewer_words_leave_fewer_items_to_all(tmp_path, vectors, task):
    name = "mine.csv" if task in ("categorization", "relations") else "mine.txt"
    (tmp_path / name).write_text(TASKS[task])
    test = suite.Test("mine", task, "own", (name,))
    embeddings = {kind: Embedding.of(store.load(vectors / kind)) for kind in ("right", "narrow")}
    shared = compared(test, suite.read(test, tmp_path), embeddings)
    assert shared.shared == shared.answered["narrow"] < shared.answered["right"] == shared.items
    if shared.shared:
        (board,) = leaderboard([shared], replicates=50)["tests"]
        verdict = None if task == "categorization" else "undecided"
        assert verdicts({"tests": [board]}) == {("right", "narrow"): verdict}


def test_chance_decides_nothing_about_categories():
    """Equally good vectors have values of purity and no verdict, though their clusters differ by chance.

    Resampled words with the clusters as they are would tell almost every fourth pair of such vectors apart.
    """
    random = np.random.default_rng(0)
    categories = np.repeat(list("abcde"), 20).tolist()
    test = suite.Test("made", "categorization", "", ())
    words = [f"w{number}" for number in range(100)]
    differences = []
    for _ in range(5):
        centres = np.repeat(0.6 * random.normal(size=(5, 20)), 20, axis=0)
        vectors = {name: Embedding(words, centres + random.normal(size=centres.shape)) for name in ("one", "two")}
        (board,) = leaderboard([compared(test, (words, categories), vectors)])["tests"]
        assert verdicts({"tests": [board]}) == {("one", "two"): None} and len(board["notes"]) == 1
        differences.append(board["differences"][0]["difference"])
    assert max(map(abs, differences)) > 0.05


def test_analogies_are_answered_among_the_words_of_all(tmp_path):
    """A file of all words, and one of the questions' words with the same vectors, answer alike."""
    random = np.random.default_rng(0)
    matrix = random.normal(size=(600, 5)).astype(np.float32)
    words = [f"w{number}" for number in range(len(matrix))]
    questions = [(f"w{a}", f"w{b}", f"w{c}", f"w{d}") for a, b, c, d in random.integers(0, 40, (300, 4))]
    questions = [question for question in questions if len(set(question)) == 4]
    test = suite.Test("made", "analogy", "", ())
    candidates = {"all": Embedding(words, matrix), "few": Embedding(words[:40], matrix[:40])}
    shared = compared(test, (questions,), candidates, Measuring())
    assert (shared.answers["all"] == shared.answers["few"]).all() and shared.answers["all"].any()


ITEMS = {
    "similarity": ([("a", "b")], [1.0]),
    "analogy": ([("a", "b", "a", "b")],),
    "categorization": (["a", "b"], ["x", "y"]),
    "relations": ({"r": Relation([("a", "b")], [("a", "b")], [1.0])},),
    "synonyms": ([("a", "b", "c")],),
    "outliers": ([(["a", "b"], ["c"])],),
}


@pytest.mark.parametrize("task", ITEMS)
def test_vectors_without_a_common_word_share_no_item(task):
    candidates = {words: Embedding([*words], np.eye(2, dtype=np.float32)) for words in ("ab", "cd")}
    shared = compared(suite.Test("made", task, "", ()), ITEMS[task], candidates, Measuring())
    assert shared.answers["ab"].shape == shared.answers["cd"].shape == (1, 0)
    with pytest.raises(InputError, match="no test has an item that all of ab, cd can answer"):
        leaderboard([shared])


def test_a_pair_that_is_there_twice_is_one_unit():
    pairs = [("a", "b"), ("b", "c"), ("b", "a"), ("a", "c"), ("a", "b")]
    embedding = Embedding(["a", "b", "c"], np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32))
    test = suite.Test("made", "similarity", "", ())
    shared = compared(test, (pairs, [1.0, 2.0, 1.5, 3.0, 1.0]), {"one": embedding, "two": embedding}, Measuring())
    assert len(np.unique(shared.units)) == 3


def test_encoders(tmp_path, monkeypatch):
    """One encoder sees the word that makes the label, two see the length of the sentence alone."""
    program = "def {0}(sentences):\n    return [[{1}, 1.0] for one in sentences]\n"
    seen = {"sees": "'good' in one", "blind": "len(one)", "blinder": "len(one)"}
    (tmp_path / "leaderboard_encoders.py").write_text("".join(program.format(*pair) for pair in seen.items()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    random = np.random.default_rng(0)
    rows = [
        f"{label}\tthe {word} {' '.join(random.choice(['dog', 'cat', 'film', 'sea'], 4))}\n"
        for label, word in (("+", "good"), ("-", "poor")) * 30
    ]
    (tmp_path / "mine.tsv").write_text("".join(rows))
    encoders = [f"leaderboard_encoders:{name}" for name in seen]
    text = evaluate("encoder", "--compare", *encoders, "--tasks", "mine.tsv", "--folds", "3", "--json", "board.json")
    board = json.loads((tmp_path / "board.json").read_text())
    sees, blind, blinder = encoders
    assert verdicts(board) == {(sees, blind): "holds", (sees, blinder): "holds", (blind, blinder): "undecided"}
    assert "mine: accuracy on 60 shared items of 60" in text


def test_classifiers(tmp_path, monkeypatch):
    """Two linear classifiers that learn the table, and the names of candidates that are none."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{label}\ttext {n} is {label} {n % 7}\n" for n, label in enumerate(("good", "bad") * 100)]
    (tmp_path / "mine.tsv").write_text("".join(rows))
    text = evaluate("classifier", "mine.tsv", "--compare", "lr_l2", "svm", "--json", "board.json")
    board = json.loads((tmp_path / "board.json").read_text())
    assert [test["measure"] for test in board["tests"]] == ["accuracy", "macro-F1"]
    assert verdicts(board) == {("lr_l2", "svm"): "undecided"} and "lr_l2 above svm: undecided" in text
    for wrong, message in ((["lr_l2", "nowhere"], "expected the folder of a saved classifier"), (["svm"], "two")):
        with pytest.raises(InputError, match=message):
            CliRunner().invoke(app, ["evaluate", "classifier", "mine.tsv", "--compare", *wrong], catch_exceptions=False)


class Colours(TextClassifier):
    """Takes the colour that a text names first for the likeliest, the second for the next, among those it knows."""

    def _probabilities(self, texts):
        places = [[text.split().index(label) if label in text else 9 for label in self.labels] for text in texts]
        chances = np.exp(-np.array(places, dtype=float))
        return chances / chances.sum(axis=1, keepdims=True), np.ones(len(texts))


@pytest.fixture
def colours(tmp_path, monkeypatch):
    """A table of texts about colours, and the saved classifiers of it by the labels that they know."""
    monkeypatch.chdir(tmp_path)
    rows = []
    for number in range(300):
        label = ("red", "blue", "green")[number % 3]
        first = "green" if number % 2 else label  # half of the red and blue ones look green to who knows green
        rows.append(f"{label}\t{first} {label if first != label else 'none'} text {number}\n")
    (tmp_path / "mine.tsv").write_text("".join(rows))
    known = {"wide": ["green", "red", "blue"], "narrow": ["blue", "red"], "other": ["red", "pink"]}
    for name in known:
        (tmp_path / name).mkdir()
    monkeypatch.setattr(repline, "load", lambda folder: Colours(known[str(folder)], [0.5] * len(known[str(folder)])))
    return tmp_path


def test_classifiers_choose_among_the_labels_that_all_know(colours):
    """Two that differ in nothing but a label of one are equal, though it often prefers that label."""
    text = evaluate("classifier", "mine.tsv", "--compare", "wide", "narrow", "--test", "90", "--json", "board.json")
    board = json.loads((colours / "board.json").read_text())
    for test in board["tests"]:
        assert test["shared"] == 60 and test["items"] == 90
        assert {row["candidate"]: row["value"] for row in test["standings"]} == {"wide": 1.0, "narrow": 1.0}
        assert {row["candidate"]: row["answered"] for row in test["standings"]} == {"wide": 90, "narrow": 60}
        assert "Left out: 30 documents whose label some candidate does not know." in test["notes"]
        assert any(
            note.startswith("wide knows 3 labels and chooses among the 2 that all know") for note in test["notes"]
        )
    assert verdicts(board) == {("wide", "narrow"): "undecided"} and "wide knows 3 labels" in text


def test_classifiers_that_share_one_label_cannot_be_compared(colours):
    with pytest.raises(InputError, match="two labels or more that narrow, other all know, found red"):
        evaluate("classifier", "mine.tsv", "--compare", "narrow", "other")


def test_saved_classifiers_are_read_before_the_work(colours, monkeypatch):
    monkeypatch.setattr("repline.evaluation.classification.__main__.train_network", lambda *_, **__: pytest.fail("ran"))
    for known, message in ((["pink"], "pale: expected one of the labels"), (["red"], "all know, found red")):
        monkeypatch.setattr(repline, "load", lambda folder, known=known: Colours(known, [0.5] * len(known)))
        (colours / "pale").mkdir(exist_ok=True)
        with pytest.raises(InputError, match=message):
            evaluate("classifier", "mine.tsv", "--compare", "cnn", "pale")
    monkeypatch.undo()
    monkeypatch.chdir(colours)
    monkeypatch.setattr("repline.evaluation.classification.__main__.read_table", lambda *_, **__: pytest.fail("read"))
    for folder, message in (("pale", "pale: no model"), ("nowhere", "--compare: expected the folder of a saved")):
        with pytest.raises(InputError, match=message):
            evaluate("classifier", "mine.tsv", "--compare", "cnn", folder, "--test", "90")


def test_labels_without_a_test_document_are_left_out_of_macro_f1(colours):
    """The mean is over the labels that some test document has, and a line says how many these are."""
    rows = (colours / "mine.tsv").read_text().splitlines()
    parts = [f"{row}\t{'test' if n % 2 and not row.startswith('green') else 'train'}" for n, row in enumerate(rows)]
    (colours / "parts.tsv").write_text("label\ttext\tpart\n" + "\n".join(parts) + "\n")
    note = "Macro-F1 is the mean over 2 of 3 labels; no document here has the rest."
    assert evaluate("classifier", "parts.tsv", "--models", "svm", "--json", "scores.json").splitlines()[-1] == note
    report = json.loads((colours / "scores.json").read_text())
    confusion = np.array(report["models"]["svm"]["confusion"])
    asked = [report["labels"].index(label) for label in ("red", "blue")]
    f1 = 2 * np.diag(confusion)[asked] / (confusion.sum(axis=0) + confusion.sum(axis=1))[asked]
    assert confusion.sum(axis=1)[report["labels"].index("green")] == 0
    assert report["models"]["svm"]["macro_f1"] == pytest.approx(f1.mean())
    evaluate("classifier", "parts.tsv", "--compare", "svm", "lr_l2", "--json", "board.json")
    accuracy, macro_f1 = json.loads((colours / "board.json").read_text())["tests"]
    assert accuracy["notes"] == [] and macro_f1["notes"] == [note]
    assert "Macro-F1" not in evaluate("classifier", "mine.tsv", "--models", "svm")


def test_one_document_that_is_left_out_is_a_document(colours):
    rows = (colours / "mine.tsv").read_text().splitlines()
    parts = [f"{row}\t{'test' if n < 25 else 'train'}" for n, row in enumerate(rows) if n >= 25 or n % 3 < 2]
    parts.append("green\tgreen alone text 400\ttest")
    (colours / "parts.tsv").write_text("label\ttext\tpart\n" + "\n".join(parts) + "\n")
    text = evaluate("classifier", "parts.tsv", "--compare", "wide", "narrow")
    assert "Left out: 1 document whose label some candidate does not know." in text


def test_models_before_the_candidates_are_compared_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{label}\ttext {n} is {label} {n % 7}\n" for n, label in enumerate(("good", "bad") * 30)]
    (tmp_path / "mine.tsv").write_text("".join(rows))
    text = evaluate("classifier", "mine.tsv", "--models", "naive_bayes", "--compare", "lr_l2", "svm")
    assert "naive_bayes above lr_l2: undecided" in text


def test_an_accuracy_without_an_error_has_wilsons_interval(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{label}\ttext {n} is {label} {n % 7}\n" for n, label in enumerate(("good", "bad") * 30)]
    (tmp_path / "mine.tsv").write_text("".join(rows))
    evaluate("classifier", "mine.tsv", "--models", "svm", "--json", "scores.json")
    result = json.loads((tmp_path / "scores.json").read_text())["models"]["svm"]
    assert result["accuracy"] == 1.0 and result["interval"] == pytest.approx([0.757, 1.0], abs=1e-3)  # of 12 texts


def test_an_accuracy_of_two_seeds_has_students_interval():
    """Runs at 0.6 and 0.8 say little of the mean of all runs, though 1,000 documents each say much of their own."""
    weights = weights_of(1000)
    answers = [np.arange(1000) < share * 1000 for share in (0.6, 0.8)]
    measured = [{"accuracy": mean_of_draws(right, weights)} for right in answers]
    assert _accuracy_interval(measured, 1000) == [0, 1]
    steady = [{"accuracy": mean_of_draws(right, weights)} for right in (answers[0], answers[0])]
    assert _accuracy_interval(steady, 1000) == pytest.approx([0.569, 0.630], abs=0.01)


def test_a_correlation_of_few_pairs_has_fishers_interval(tmp_path, monkeypatch):
    (tmp_path / "fisher_encoders.py").write_text(
        "def length(sentences):\n    return [[len(one), 1.0, 9.0] for one in sentences]\n"
    )
    (tmp_path / "mine.pairs.tsv").write_text(
        "sentence1\tsentence2\tscore\n"
        + "".join(f"{'a' * n}\t{'b' * (n * n % 11 + 1)}\t{n % 5}\n" for n in range(1, 11))
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    evaluate("encoder", "fisher_encoders:length", "--tasks", "mine.pairs.tsv", "--alone", "--json", "scores.json")
    (result,) = json.loads((tmp_path / "scores.json").read_text())["fisher_encoders:length"]["tasks"].values()
    low, high = fisher(result["value"], 10)
    assert result["items"] == 10 and result["low"] <= low < result["value"] < high <= result["high"]
    (tmp_path / "two.pairs.tsv").write_text("a\tbbb\t1\nab\tb\t3\n")
    evaluate("encoder", "fisher_encoders:length", "--tasks", "two.pairs.tsv", "--alone", "--json", "scores.json")
    (result,) = json.loads((tmp_path / "scores.json").read_text())["fisher_encoders:length"]["tasks"].values()
    assert result["value"] == pytest.approx(1) and (result["low"], result["high"]) == (-1, 1)


def test_options_of_rows_that_a_comparison_leaves_out_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for option in (["--alone"], ["--dimensions", "16"], ["--vectors", "mine"]):
        with pytest.raises(InputError, match=f"{option[0]} is of the rows that --compare leaves out"):
            evaluate("encoder", "--compare", "a:b", "c:d", *option)
    for option in (["--dimensions", "16"], ["--vectors", "mine"]):
        with pytest.raises(InputError, match=f"{option[0]} is of the rows that --alone leaves out"):
            evaluate("encoder", "a:b", "--alone", *option)
    for options in (["--compare", "a:b", "c:d"], ["a:b", "--json", "scores.json"]):
        with pytest.raises(InputError, match="--sentences writes the sentences of tasks and evaluates nothing"):
            evaluate("encoder", "--sentences", "sentences.txt", *options)


def test_an_encoder_has_no_name_of_a_row_that_is_always_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("average", "usif", "tf_idf"):
        with pytest.raises(InputError, match=f"{name}: a row that is always there has this name; add --alone"):
            evaluate("encoder", name)


def test_options_of_networks_need_a_network_that_is_trained_here(colours):
    for models in (["--models", "svm", "lr_l2"], ["--compare", "svm", "wide"]):
        for option in ("--seeds", "--epochs", "--sentences", "--length"):
            with pytest.raises(InputError, match=f"{option} is of networks that are trained here; name one of cnn"):
                evaluate("classifier", "mine.tsv", *models, option, "3")


def test_parts_that_a_table_names_have_no_other_size(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{label}\ttext {n} is {label}\t{('train', 'test')[n // 2 % 2]}\n" for n, label in enumerate("ab" * 30)]
    (tmp_path / "mine.tsv").write_text("label\ttext\tpart\n" + "".join(rows))
    with pytest.raises(InputError, match=r"--test: mine.tsv names its test texts itself; leave the option out"):
        evaluate("classifier", "mine.tsv", "--models", "svm", "--test", "12")
    assert "mine.tsv: 24 train, 6 dev, 30 test" in evaluate("classifier", "mine.tsv", "--models", "svm", "--dev", "6")


def test_the_language_selects_among_the_tests_of_sources(vectors, monkeypatch):
    monkeypatch.chdir(vectors)
    with pytest.raises(InputError, match="word_benchmarks: no test in it for vectors of the language 'zh'"):
        evaluate("vectors", "right", "--sources", "word_benchmarks", "--language", "zh")


def test_words_without_a_vector_are_categories_without_a_warning(vectors, monkeypatch, recwarn):
    monkeypatch.chdir(vectors)
    rows = [f"{n % 3},{word}\n" for n, word in enumerate(["w0", "x", "y", "z", "other", "more"])]
    (vectors / "kinds.csv").write_text("category,word\n" + "".join(rows))
    assert "16.7%" in evaluate("vectors", "right", "--tests", "kinds.csv")
    assert not [str(warning.message) for warning in recwarn if "clusters" in str(warning.message)]


def test_a_vocabulary_needs_analogies(vectors, monkeypatch):
    monkeypatch.chdir(vectors)
    for tests in (["--tests", "near.csv"], ["--sources", "word_benchmarks_made"]):
        with pytest.raises(InputError, match="--vocabulary is of tests of analogies, and no chosen test is one"):
            evaluate("vectors", "right", *tests, "--vocabulary", "9")
    (vectors / "asked.txt").write_text(TASKS["analogy"])
    assert "asked" in evaluate("vectors", "right", "--tests", "near.csv", "asked.txt", "--vocabulary", "9")


@pytest.mark.parametrize("before", [["right"], ["--compare", "right"]])
def test_every_file_of_vectors_is_opened_before_the_first_is_read(vectors, monkeypatch, before):
    monkeypatch.chdir(vectors)
    monkeypatch.setattr("repline.evaluation.__main__._read", lambda *_: pytest.fail("the work began"))
    (vectors / "empty.txt").write_text("")
    (vectors / "broken.txt").write_text("a 1 2 3\nb 1 2\n")
    for file, message in (
        ("nowhere.txt", "nowhere.txt: there is no such file"),
        ("empty.txt", "empty.txt: the file is empty"),
        ("broken.txt", "broken.txt, line 2: word 'b' has 2 values, expected 3"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate("vectors", *before, file, "--tests", "near.csv")


def test_a_figure_needs_candidates(vectors):
    with pytest.raises(InputError, match="--figure is the chart of --compare"):
        evaluate("vectors", vectors / "right", "--figure", vectors / "board.html")


@pytest.mark.parametrize("candidates", [["right"], ["--compare", "right", "wrong"]])
def test_json_on_the_standard_output_is_all_that_is_there(vectors, monkeypatch, candidates):
    monkeypatch.chdir(vectors)
    files = ("--tests", "near.csv", "--json")
    table = evaluate("vectors", *candidates, *files, "scores.json")
    result = CliRunner().invoke(app, ["evaluate", "vectors", *candidates, *files, "-"], catch_exceptions=False)
    assert json.loads(result.stdout) == json.loads((vectors / "scores.json").read_text())
    assert table.strip() in result.stderr and not (vectors / "-").exists()


def test_files_that_cannot_be_written_are_refused_before_the_work(vectors, monkeypatch):
    monkeypatch.chdir(vectors)
    monkeypatch.setattr("repline.evaluation.__main__._read", lambda *_: pytest.fail("the work began"))
    compare = ("vectors", "--compare", "right", "wrong", "--tests", "near.csv")
    for option, file, message in (
        ("--json", ".", "this is a folder"),
        ("--json", "near.csv/board.json", "is a file, in which nothing can be written"),
        ("--json", "./near.csv", "--json would take the place of a file that is read"),
        ("--json", "/dev/stdout", "this is no file that can be replaced"),
        ("--figure", "board.png", "expected a name that ends in .html"),
        ("--figure", "near.csv/board.html", "is a file, in which nothing can be written"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate(*compare, option, file)
    with pytest.raises(InputError, match="--json and --figure name the same file"):
        evaluate(*compare, "--json", "board.html", "--figure", "./board.html")


@pytest.mark.parametrize(
    "command",
    [["classifier", "mine.tsv"], ["agreement", "model", "mine.tsv"], ["encoder", "a:b", "--tasks", "mine.tsv"]],
)
def test_numbers_do_not_take_the_place_of_what_is_read(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tsv").write_text("mine")
    with pytest.raises(InputError, match="--json would take the place of a file that is read"):
        evaluate(*command, "--json", tmp_path / "mine.tsv")
    assert (tmp_path / "mine.tsv").read_text() == "mine"


def test_the_example_of_the_page_runs(tmp_path):
    """The example in Python, which needs no data; the one in the shell is of a built checkout."""
    text = (ROOT / "docs/evaluating-your-own.md").read_text(encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(text[text.index("```python") :], encoding="utf-8")
    assert [example.language for example in examples(page.read_text(encoding="utf-8"))] == ["python"]
    assert run(page, tmp_path) == []
