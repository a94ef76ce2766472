"""`repline train` of language models on files of one's own, in a folder that is no checkout."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from repline.cli.app import app
from repline.errors import InputError
from repline.use.folders import read_description
from tests.cli.train_command import notes_of, topic_sentences, train, trained

SMALL = ["--units", "8", "--epochs", "1", "--batch", "8"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory, with a text and a treebank."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("".join(f"{line.capitalize()}.\n" for line in topic_sentences(120)))
    (tmp_path / "tree.conllu").write_text("\n".join(map(parsed, range(120))) + "\n")
    return tmp_path


def parsed(number: int) -> str:
    """A sentence of CoNLL-U: a noun, its verb in its number, and a phrase with `near`."""
    noun, verb = [("dog", "sees"), ("dogs", "see")][number % 2]
    words = [
        ("The", "DET", "DT", 2, "det"),
        (noun, "NOUN", ["NN", "NNS"][number % 2], 3, "nsubj"),
        (verb, "VERB", ["VBZ", "VBP"][number % 2], 0, "root"),
        (["cats", "birds", "mice"][number % 3], "NOUN", "NNS", 3, "obj"),
        ("near", "ADP", "IN", 6, "case"),
        (["houses", "rivers"][number // 3 % 2], "NOUN", "NNS", 4, "nmod"),
    ]
    rows = ["\t".join([str(row), word, word.lower(), upos, xpos, "_", str(head), dep, "_", "_"])
            for row, (word, upos, xpos, head, dep) in enumerate(words, start=1)]  # fmt: skip
    return "\n".join(rows) + "\n"


def test_hrrlm_prefers_what_it_read(folder):
    sizes = ["--dimensions", "16", "--width", "7", "--epochs", "3", "--batch", "8", "--steps", "10"]
    model = trained(folder, "hrrlm", "--data", "text.txt", *sizes, "--learning-rate", "0.02")
    assert {"<eos>", "cat", "wheel"} <= set(model.words)
    seen, never = model.score(["the cat and the dog", "zzz zzz zzz"])
    assert seen.log_probability > -40 and len(never.unknown) == 3
    assert len(model.next("the", n=3)) == 3


@pytest.mark.parametrize(
    "options",
    [
        ["hrrlm", "--data", "text.txt", "--dimensions", "16", "--width", "7", "--steps", "10"],
        ["bracket_rnn", "--data", "tree.conllu", "--units", "8"],
    ],
    ids=lambda options: options[0],
)
def test_a_training_that_no_longer_gains_ends_and_keeps_its_best_epoch(folder, options):
    trained(folder, *options, "--batch", "8", "--epochs", "30", "--learning-rate", "0.5")
    history = json.loads((folder / "model/training.json").read_text())["history"]
    losses = [epoch["validation_loss"] for epoch in history]
    assert len(losses) < 30 and losses.index(min(losses)) == len(losses) - 4


def test_words_between_blanks_stay_whole(folder):
    (folder / "parts").mkdir()
    for part in ("train", "valid", "test"):
        (folder / f"parts/{part}.txt").write_text("they don't like the (not) well-known man\n" * 20)
    sizes = ["--dimensions", "16", "--width", "7", "--epochs", "1", "--batch", "8", "--steps", "10"]
    model = trained(folder, "hrrlm", "--data", "parts", *sizes)
    score = model.score("They don't like, the (not) well-known man.")
    assert score.unknown == [] and "don't" in score.tokens and "(not)" in score.tokens


MEMORY = ["--types", "12", "--length", "3", "--units", "4", "--epochs", "1"]


def test_a_part_is_a_word_of_the_name_of_a_file(folder):
    """`latest.txt` is no test set, and `training_manual.txt` no training set."""
    (folder / "parts").mkdir()
    for name in ("training_manual", "latest_news", "developer_guide"):
        (folder / f"parts/{name}.txt").write_text((folder / "text.txt").read_text())
    notes = notes_of("lstm_memorization", "--data", "parts", *MEMORY)
    assert "the names of the 3 files do not say train, valid and test: of each the last tenth is test" in notes
    for part in ("train", "valid", "test"):
        (folder / f"parts/my-{part}.txt").write_text((folder / "text.txt").read_text())
    message = r"developer_guide.txt: expected a file name with one of train, valid \(or dev\) and test in it"
    with pytest.raises(InputError, match=message):
        train("lstm_memorization", "--data", "parts", *MEMORY)


def test_texts_beside_a_treebank_are_named_as_left_out(folder):
    (folder / "mixed").mkdir()
    for name in ("text.txt", "tree.conllu"):
        (folder / "mixed" / name).write_text((folder / name).read_text())
    (folder / "mixed/README.md").write_text("no text to train on")
    message = "left out: text.txt; where a folder has files .conllu, those alone are read"
    urn = ["--dimensions", "4", "--epochs", "1", "--batch", "16"]
    for system, *options in (["lstm_memorization", *MEMORY], ["urn", *urn], ["context_parser", "--epochs", "1"]):
        assert message in notes_of(system, "--data", "mixed", *options)
        assert "left out" not in notes_of(system, "--data", "tree.conllu", *options)
    (folder / "mixed/text.txt").unlink()
    assert "left out" not in notes_of("lstm_memorization", "--data", "mixed", *MEMORY)


def test_hrrlm_goes_on_to_chunks_of_a_treebank(folder):
    sizes = ["--dimensions", "16", "--width", "7", "--batch", "8", "--steps", "10", "--epochs", "1"]
    model = trained(folder, "hrrlm", "--data", "tree.conllu", "--chunks", *sizes)
    assert read_description(folder / "model").kind == "chunks"
    assert {"composite", "filler_1", "filler_2"} == set(model.fillers("dog"))
    without_a_head = (folder / "tree.conllu").read_text().replace("\tIN\t_\t6", "\tIN\t_\t_")
    (folder / "bare.conllu").write_text(without_a_head)
    with pytest.raises(InputError, match="chunks by rules need a parse, and a word of the source has no head"):
        train("hrrlm", "--data", "bare.conllu", "--chunks", *sizes)


@pytest.mark.parametrize("variant", ["A", "lstm"])
def test_bracket_rnn_of_a_treebank_reads_brackets(folder, variant):
    model = trained(folder, "bracket_rnn", "--data", "tree.conllu", "--variant", variant, *SMALL)
    assert {"near", "houses", "dog"} <= set(model.words)
    assert model.next("the dog", n=2)[0].probability > 0
    if variant == "A":
        assert model.score("the dog sees cats ( near houses )").log_probability < 0
        assert "nmod:*" in model.constituents["optional"]


def test_bracket_rnn_counts_the_sentences_that_are_too_long(folder):
    longer = parsed(0) + "7\tnow\tnow\tADV\tRB\t_\t3\tadvmod\t_\t_\n"
    (folder / "tree.conllu").write_text("\n".join([longer, *map(parsed, range(120))]) + "\n")
    assert "left out" not in notes_of("bracket_rnn", "--data", "tree.conllu", *SMALL)
    notes = notes_of("bracket_rnn", "--data", "tree.conllu", "--longest", "6", *SMALL)
    assert "left out: 1 sentences of one word or of more than 6" in notes


def test_lstm_memorization_recalls_a_middle_word_of_one_of_two(folder):
    options = ["--types", "12", "--length", "3", "--stride", "1", "--units", "16", "--epochs", "6"]
    model = trained(folder, "lstm_memorization", "--data", "text.txt", *options, "--learning-rate", "0.02")
    assert len(model.words) == 12
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(model.words[1:], 3)) for _ in range(40)]
    assert np.mean([answer.is_right for answer in model.recall(texts)]) > 0.3  # chance is 1 in 12


def test_urn_of_strings_of_brackets_closes_them(folder):
    pairs = ["()", "[]", "<>"]
    rng = np.random.default_rng(0)
    lines = []
    for _ in range(200):
        (a, b), (c, d) = (pairs[row] for row in rng.integers(0, 3, 2))
        lines.append(f"{a} {c}{d}{b}" if rng.integers(2) else f"{a}{b}")
    (folder / "brackets.txt").write_text("\n".join(lines) + "\n")
    options = ["--dimensions", "8", "--epochs", "25", "--batch", "20", "--learning-rate", "0.02"]
    model = trained(folder, "urn", "--data", "brackets.txt", *options)
    answers = model.closing(["(", "[", "<", "(["])
    assert [answer.bracket for answer in answers] == [")", "]", ">", "]"]


def test_urn_of_a_treebank_tells_the_number_of_a_verb(folder):
    options = ["--dimensions", "8", "--epochs", "15", "--batch", "16", "--learning-rate", "0.02"]
    model = trained(folder, "urn", "--data", "tree.conllu", *options)
    assert model.verb_number(["the dog", "the dogs"]) == ["singular", "plural"]


def test_rrnet_of_text_of_expressions_and_of_formulas(folder):
    model = trained(folder, "rrnet", "--data", "text.txt", "--units", "8", "--batch", "4", "--steps", "10")
    assert model.next("the", n=2)
    rng = np.random.default_rng(0)
    lines = [f"(({a}+{b})+{c})" for a, b, c in rng.integers(4, 10, (80, 3))]
    (folder / "expressions.txt").write_text("\n".join([*lines, "(9+8)\t17"]) + "\n")
    model = trained(folder, "rrnet", "--data", "expressions.txt", "--task", "expressions", *SMALL)
    assert model.value("((4+5)+6)").exact == 15
    result = CliRunner().invoke(app, ["predict", "model", "-"], input="(4+5)\n((7+8)\n(1+2)\n")
    assert str(result.exception).startswith("-, line 2: expected a fully bracketed expression")
    assert [json.loads(line)["exact"] for line in result.stdout.splitlines()] == [9]
    (folder / "formulas.txt").write_text("a\t( a ( or b ) )\n( a ( and b ) )\ta\nb\t( not b )\na\tb\t#\n" * 5)
    model = trained(folder, "rrnet", "--data", "formulas.txt", "--task", "relations", *SMALL)
    answer = model.relation(("a", "( a ( or c ) )"))
    assert answer.exact == "<" and sum(answer.probabilities.values()) == pytest.approx(1)


def test_rrnet_learns_relations_where_a_batch_has_formulas_of_one_letter_alone(folder):
    (folder / "formulas.txt").write_text("a\tb\na\t( a ( or b ) )\nb\tb\n" * 10)
    train("rrnet", "--data", "formulas.txt", "--task", "relations", "--epochs", "1", "--units", "4", "--batch", "4")


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["hrrlm"], "One sentence.\n", "mine.txt: expected 10 sentences at least, found 1"),
        (["hrrlm"], None, "mine.txt: expected a text"),
        (["urn"], "()\n(]\n", "mine.txt, line 2: expected balanced brackets"),
        (["urn"], "()\n((\n", r"mine.txt, line 2: \) is missing at the end"),
        (["urn"], "\n", "mine.txt: expected a string of brackets a line, found none"),
        (["rrnet", "--task", "expressions"], "(1+2)\n", "mine.txt, line 1: expected a value from 10 to 99, found 3"),
        (["rrnet", "--task", "expressions"], "(9+9)\t20\n", r"mine.txt, line 1: the value of \(9\+9\) is 18"),
        (["rrnet", "--task", "expressions"], "9+9\n", "mine.txt, line 1: expected a fully bracketed expression"),
        (["rrnet", "--task", "relations"], "a\tb\t<\n", "mine.txt, line 1: the relation is '#', found '<'"),
        (["rrnet", "--task", "relations"], "a\n", "mine.txt, line 1: expected two formulas between tabs, found 1"),
        (["bracket_rnn"], "just text\n" * 20, "column head"),
        (["lstm_memorization", "--distribution", "bigram"], "A b c.\n" * 20, "there is no distribution 'bigram'"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, arguments, text, message):
    if text:
        (folder / "mine.txt").write_text(text)
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match=message):
        train(*arguments, "--data", "mine.txt")
    assert {path.name for path in folder.iterdir()} == before
