"""What a benchmark measured stays in results/benchmarks.json and in docs/speed.md, each benchmark in its own row."""

import json

from benchmarks import results, timing


def test_a_benchmark_takes_the_place_of_its_earlier_rows_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "docs/speed.md"
    page.parent.mkdir()
    page.write_text("# title\n<!-- benchmarks:begin -->\n<!-- benchmarks:end -->\nafter\n", encoding="utf-8")
    results.record("one", "First", [{"comparison": "a | b", "ratio": 2.0, "goal": 3}])
    results.record("two", "Second", [{"comparison": "c", "ratio": 1.5, "goal": None}])
    results.record("one", "First", [{"comparison": "a | b", "ratio": 4.0, "goal": 3}])
    results.record("more", "Third", [{"comparison": "d", "ratio": 1.0, "goal": None}])
    records = json.loads((tmp_path / "results/benchmarks.json").read_text(encoding="utf-8"))
    assert [row["ratio"] for row in records["one"]["comparisons"]] == [4.0]
    assert records["one"]["machine"] and records["one"]["date"]
    text = page.read_text(encoding="utf-8")
    assert text.index("| more |") < text.index("| one |") < text.index("| two |")
    assert text.endswith("<!-- benchmarks:end -->\nafter\n")
    assert "| one | a \\| b | **4** | 3 |" in text and "| two | c | **1.5** |  |" in text and "**2**" not in text


def test_a_printed_line_is_kept_as_a_ratio(capsys):
    timing.comparisons.clear()
    timing.line("what", 0.5, 1.0, 3)
    assert timing.comparisons == [{"comparison": "what", "ratio": 2.0, "goal": 3}]
    assert "2.0x" in capsys.readouterr().out
    timing.comparisons.clear()
