"""What every language model does with raw text alike."""

import json
import math

import pytest
from typer.testing import CliRunner

from repline.cli.app import app
from repline.errors import InputError


def check(model, folder, tmp_path, text, unknown):
    """Check a model that `repline.load` read.

    Args:
        model: a `repline.use.text_scorer.LanguageModel`.
        folder: that it was read from.
        tmp_path: an empty folder.
        text: whose tokens the model knows, on one line.
        unknown: a text of tokens that it does not know.
    """
    score = model.score(text)
    assert score.tokens and not score.unknown
    assert score.log_probability == pytest.approx(sum(score.log_probabilities))
    assert score.perplexity == pytest.approx(math.exp(-score.log_probability / len(score.tokens)))
    long = " ".join([text] * 40)
    scores = model.score([text, "", unknown, long, text], batch=2)
    assert [scores[0].tokens, scores[1].tokens, scores[4].tokens] == [score.tokens, [], score.tokens]
    assert scores[4].log_probabilities == pytest.approx(score.log_probabilities, abs=1e-4)
    assert scores[3].log_probabilities[: len(score.tokens)] == pytest.approx(score.log_probabilities, abs=1e-4)
    for empty in ("", " \n\t"):
        nothing = model.score(empty)
        assert (nothing.log_probability, nothing.tokens) == (0, []) and math.isnan(nothing.perplexity)
    stranger = model.score(unknown)
    assert len(stranger.unknown) == len(stranger.tokens) > 0 and math.isfinite(stranger.log_probability)
    for start in ("", text, unknown):
        following = model.next(start, 10**6)
        chances = [symbol.probability for symbol in following]
        assert chances == sorted(chances, reverse=True) and 0.5 < sum(chances) < 1.0001
        assert model.next(start, 2) == following[:2]
    first = next(symbol for symbol in model.next("", 10**6) if symbol.token == score.tokens[0])
    assert math.log(first.probability) == pytest.approx(score.log_probabilities[0], abs=1e-4)
    assert model.prefers("", text, unknown) == pytest.approx(score.log_probability - stranger.log_probability, abs=1e-3)
    for wrong in (7, None, [["a", "b"]], [b"a"]):
        with pytest.raises(InputError, match="score takes a text or a list of texts"):
            model.score(wrong)
    with pytest.raises(InputError, match="next takes"):
        model.next(["a"])
    (tmp_path / "texts.txt").write_text(f"{text}\n\n{unknown}\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0]["log_probability"] == pytest.approx(score.log_probability, abs=1e-4)
    assert (lines[1]["tokens"], lines[1]["perplexity"]) == ([], None) and lines[2]["unknown"] == stranger.unknown
    assert [name for name, _ in lines[0]["next"]] == [symbol.token for symbol in model.next(text, 5)]
