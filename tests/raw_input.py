"""What every saved model does with raw input alike, whatever its system and kind."""

import copy
import inspect
import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from repline.cli.app import app
from repline.errors import InputError
from repline.use.folders import Description, read_description
from repline.use.inputs import Usable
from stages.model_cards import EXAMPLES, methods_of

NO_TEXT = (7, None, b"text", [["a text"]], [7], {"a": 1}, "half \ud800 a character")
TEXTS = ("", " \t", "xyzzy plugh", "今天天气很好", "Привет, мир!", "😀", "e\u0301\u200b", "word " * 200)


VISIBLE, INVISIBLE = "word of the text", "\ufeffwo\xadrd\u200b of \u2060the te\xadxt"  # the same to a reader
WRONG_NUMBERS = {  # by the name of an argument
    "n": (-1, "3", 2.5, None),
    **dict.fromkeys(("batch", "beam"), (0, -1, "3", 2.5, None)),
    "threshold": ("a", math.nan),
    **dict.fromkeys(("weight", "original", "inferred"), ("a", math.nan, None)),
}
VALUES = {"pairs": ("a", "b"), "replies": ["a"], "sentences": "a ?? b"}  # of arguments that are not a text


def check(model: Usable, folder: Path) -> None:
    """Check a model against what all have in common.

    Every text has an answer that JSON can hold, the same alone and among others, from Python and from the command, and
    of a copy of the model, as other processes get it. The model has every method that its card names, and each refuses
    what is no text. Every method refuses wrong numbers. Methods that give arrays take a text as one, not letter by
    letter.

    Args:
        model: that `repline.load` read from `folder`.
        folder: of the model.
    """
    _refuses_what_is_no_text(model, read_description(folder))
    _refuses_wrong_numbers(model)
    _arrays_are_of_texts(model)
    rows = [dict.fromkeys(model.fields, text) for text in (*TEXTS, VISIBLE, INVISIBLE)]
    if "features" in model.fields:  # numbers that a network made of a picture
        rows = [{"features": " ".join(["0.5"] * model._features)}]  # type: ignore[attr-defined]
    answers = model.answers(rows)
    assert len(answers) == len(rows) and model.answers([]) == []
    assert _alike(answers[-2], answers[-1]) or len(rows) == 1
    for row, answer in zip(rows, answers, strict=True):
        json.dumps(answer, allow_nan=False)
        assert _alike(model.answers([row]), [answer]), row
        assert list(answer) == list(answers[0])
    for same_model in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert _alike(same_model.answers(rows), answers)
    _answers_from_the_command(model, folder, rows, answers)


def _refuses_what_is_no_text(model: Usable, description: Description) -> None:
    names = re.findall(r"(\w+)\(", methods_of(description.system, description.kind))
    assert names and EXAMPLES[description.system, description.kind].partition("(")[0] in dir(model)
    for method in [getattr(model, name) for name in names]:
        required = sum(value.default is value.empty for value in inspect.signature(method).parameters.values())
        for value in NO_TEXT:
            with pytest.raises(InputError):
                method(*[value] * required)


def _refuses_wrong_numbers(model: Usable) -> None:
    for name, method in inspect.getmembers(model, inspect.ismethod):
        parameters = inspect.signature(method).parameters
        if name.startswith("_") or parameters.keys().isdisjoint(WRONG_NUMBERS):
            continue
        required = [VALUES.get(key, "a") for key, value in parameters.items() if value.default is value.empty]
        if name == "caption" and "features" in model.fields:
            required = [np.ones((1, model._features))]  # type: ignore[attr-defined]
        for key in parameters.keys() & WRONG_NUMBERS:
            for value in WRONG_NUMBERS[key]:
                if value is None and parameters[key].default is None:
                    continue
                arguments = dict(zip(parameters, required, strict=False)) | {key: value}
                with pytest.raises(InputError, match=f"expected a .*number.* as {key}, found"):
                    method(**arguments)


def _arrays_are_of_texts(model: Usable) -> None:
    for method in [getattr(model, name) for name in ("vectors", "probabilities") if hasattr(model, name)]:
        one, many, none = (
            list(given) if isinstance(given, tuple) else [given] for given in map(method, ("ab", ["ab", "c"], []))
        )
        for of_one, of_many, of_none in zip(one, many, none, strict=True):
            assert (len(of_one), len(of_many), len(of_none)) == (1, 2, 0)
            assert of_one.shape[1:] == of_many.shape[1:] == of_none.shape[1:]
            assert _alike(of_one[0].tolist(), of_many[0].tolist())
        for value in NO_TEXT:
            with pytest.raises(InputError):
                method(value)


def _answers_from_the_command(
    model: Usable, folder: Path, rows: list[dict[str, str]], answers: list[dict[str, Any]]
) -> None:
    json_lines = "".join(json.dumps(row) + "\n" for row in rows)
    expected = [row | answer for row, answer in zip(rows, answers, strict=True)]
    assert _alike([json.loads(line) for line in _predicted(folder, json_lines)], json.loads(json.dumps(expected)))
    lines = "".join("\t".join(row.values()) + "\n" for row in rows if "\t" not in "".join(row.values()))
    head, *table = (line.split("\t") for line in _predicted(folder, lines, "--form", "tsv"))
    assert head == [*model.fields, *model.optional_fields, *answers[0]] and len(table) == lines.count("\n")
    assert {len(cells) for cells in table} == {len(head)}


def _predicted(folder: Path, lines: str, *options: str) -> list[str]:
    result = CliRunner().invoke(app, ["predict", str(folder), "-", *options], input=lines, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def _alike(first: Any, second: Any) -> bool:
    """Whether two answers are the same but for rounding, which depends on what is in a batch."""
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, rel_tol=1e-3, abs_tol=1e-4)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_alike(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_alike, first, second))
    return bool(first == second)
