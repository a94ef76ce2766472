"""`repline train --on-error salvage`: wrong records of people's files are left out, counted and named."""

import inspect
import json
import shlex

import pytest
from typer.testing import CliRunner

from repline.cli.app import app
from repline.cli.train import COMMANDS
from repline.errors import InputError
from tests.cli.train_command import TOPICS, write_topic_vectors

ANIMALS, CARS = TOPICS.values()
WORD = "{number}\t{form}\t{form}\tNOUN\tNN\t_\t{head}\t{dep}\t_\t_\n"
TREE = WORD.format(number=1, form="cats", head=0, dep="root") + WORD.format(number=2, form="sleep", head=1, dep="dep")


def write_files(folder):
    write_topic_vectors(folder / "mine.vec")
    (folder / "synonyms.txt").write_text("cat dog\nonly\nwheel engine\n")
    (folder / "graph").mkdir()
    (folder / "graph" / "triples.tsv").write_text("a\tis\tb\nb\tis\n" + "b\tis\tc\nc\tis\ta\n")
    (folder / "brackets.txt").write_text("([])\n([)]\n{<>}\n" * 3)
    (folder / "expressions.txt").write_text("((9+8)-3)\n((9+8)\n((9*9)-8)\n" * 3)
    (folder / "trees.conllu").write_text(f"{TREE}\n{TREE.replace('_', 'a b', 1).replace(chr(9), ' ', 1)}\n{TREE}\n")
    (folder / "ratings.csv").write_text(
        "word,concreteness\n" + "".join(f"{word},4\n" for word in ANIMALS) + "cow,much\n"
    )
    (folder / "turns").mkdir()
    turns = [
        json.dumps({"turns": [f"I have {word} number {row}" for row in range(4)]}) for word in [*ANIMALS, *CARS] * 2
    ]
    (folder / "turns" / "a.jsonl").write_text("\n".join([*turns, '{"turns": 3}']))
    (folder / "pairs").mkdir()
    rows = [f"a {a} runs\tthe {b}\t{label}" for a in ANIMALS for label, b in (("yes", a), ("no", CARS[0]))]
    for part in ("train", "dev", "test"):
        lines = "\n".join(["sentence1\tsentence2\tlabel", *rows, "a cat\tzug zag\tyes"])
        (folder / "pairs" / f"{part}.tsv").write_text(lines)
    (folder / "definitions.tsv").write_text("".join(f"{word}\tan animal\n" for word in ANIMALS))
    (folder / "text.txt").write_bytes(b"\n".join([b"the cat and the dog met a cow today", b"caf\xe9"] * 12))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.train.__name__)
def test_every_command_takes_the_option(command):
    assert "on_error" in inspect.signature(command.train).parameters


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("lexical_contrast --data mine.vec --synonyms synonyms.txt --epochs 1", "synonyms.txt, line 2: expected two"),
        ("transea --data graph --dimensions 2 --epochs 1", "triples.tsv, line 2: "),
        ("urn --data brackets.txt --dimensions 4 --epochs 1", "brackets.txt, line 2: expected balanced brackets"),
        ("rrnet --data expressions.txt --task expressions --epochs 1", "expressions.txt, line 2: expected a fully"),
        ("context_parser --data trees.conllu", "trees.conllu, line 4: expected 10 fields"),
        ("concreteness --data ratings.csv --vectors mine.vec", "ratings.csv, line 8: expected a number"),
        ("conversations --data turns --epochs 1 --size 4 --dimensions 4", "a.jsonl, line 25: expected"),
        (
            "supervised_unsupervised --data pairs --vectors mine.vec --units 4 --epochs 1",
            "pairs, train, pair or line 14: no word of the second sentence has a vector",
        ),
        (
            "definition_nli --data pairs --vectors mine.vec --dictionary definitions.tsv --epochs 1",
            "pairs, train, pair or line 14: no word of the second sentence has a vector or a definition",
        ),
        ("corpus_specificity --data text.txt --block 8 --dimensions 2", "text.txt, line 2: expected UTF-8 text"),
    ],
)  # fmt: skip
def test_a_wrong_record_ends_the_training_or_is_left_out_and_named(command, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    line = ["train", *shlex.split(command), "--out", "model"]
    with pytest.raises(InputError, match=wrong.replace(".", r"\.")):
        CliRunner().invoke(app, line, catch_exceptions=False)
    result = CliRunner().invoke(app, [*line, "--on-error", "salvage"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert f"left out: {wrong}" in result.stderr
    assert "wrong record" in result.stderr
