"""The fuzz run finds what a reader takes wrongly, prints the seed that shows it again, and fails."""

from pathlib import Path

import pytest

from benchmarks import fuzz
from tests.text_readers import Reader


def without_nines(folder: Path) -> list[str]:
    """Lines except for those with a nine, which nobody counts."""
    lines = (folder / "a.txt").read_text("latin-1").split("\n")
    return [line for line in lines if "9" not in line]


LOSING = Reader({"a.txt": "abc\ndef\nghi\n"}, without_nines)
PLAIN = Reader({"a.txt": "abc\ndef\nghi\n"}, lambda folder: (folder / "a.txt").read_text("latin-1").split("\n"))


def test_the_smallest_change_is_shown_again_by_its_seed():
    message = fuzz.wrong_change(LOSING, seed=3, examples=500)
    assert message is not None and "byte=57" in message and "lost" in message
    assert fuzz.wrong_change(LOSING, seed=3, examples=500) == message
    assert fuzz.wrong_change(PLAIN, seed=3) is None


def test_a_run_prints_its_seed_and_fails_where_a_reader_does(monkeypatch, capsys):
    monkeypatch.setattr(fuzz, "EXAMPLES", 1)
    monkeypatch.setattr(fuzz, "BY_NAME", {"plain": PLAIN})
    fuzz.main(["--minutes", "0.001", "--seed", "7"])
    output = capsys.readouterr().out
    assert output.startswith("seed 7\n") and "0 readers took one wrongly" in output
    monkeypatch.setattr(fuzz, "BY_NAME", {"losing": LOSING})
    monkeypatch.setattr(fuzz, "wrong_change", lambda reader, seed: "lost")
    with pytest.raises(SystemExit):
        fuzz.main(["--minutes", "0.001"])
    assert "losing: lost" in capsys.readouterr().out
