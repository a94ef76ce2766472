"""What a benchmark measured stays in results/benchmarks.json and in docs/speed.md, each benchmark in its own row."""

import json

from benchmarks import results, timing


def test_a_benchmark_takes_the_place_of_its_earlier_rows_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "docs/speed.md"
    page.parent.mkdir()
    blocks = "\n".join(f"<!-- {name}:{end} -->" for name in ("benchmarks", "below") for end in ("begin", "end"))
    page.write_text(f"# title\n{blocks}\nafter\n", encoding="utf-8")
    results.record("one", "First", [{"comparison": "a | b", "ratio": 2.0, "goal": 3}])
    results.record("two", "Second", [{"comparison": "c", "ratio": 1.5, "goal": None}])
    results.record("one", "First", [{"comparison": "a | b", "ratio": 4.0, "goal": 3}])
    results.record("more", "Third", [{"comparison": "d", "ratio": 1.0, "goal": None}])
    records = json.loads((tmp_path / "results/benchmarks.json").read_text(encoding="utf-8"))
    assert [row["ratio"] for row in records["one"]["comparisons"]] == [4.0]
    assert records["one"]["machine"] and records["one"]["date"]
    text = page.read_text(encoding="utf-8")
    assert text.index("| more |") < text.index("| one |") < text.index("| two |")
    assert text.endswith("<!-- below:end -->\nafter\n")
    assert "| one | a \\| b | **4** | 3 |" in text and "| two | c | **1.5** |  |" in text and "**2**" not in text


def test_what_is_below_its_goal_is_listed_with_the_reason(tmp_path, monkeypatch):
    timing.comparisons.clear()
    timing.line("fast", 0.1, 1.0, 3, limit="Its products.")
    timing.line("slow", 0.5, 1.0, 3, limit="Its products alone take a third.")
    timing.keep("minutes (less is better)", 12, 10, limit="The network.")
    timing.keep("seconds (less is better)", 9, 10, limit="The disk.")
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "docs/speed.md"
    page.parent.mkdir()
    page.write_text(
        "".join(f"<!-- {name}:begin -->\n<!-- {name}:end -->\n" for name in ("benchmarks", "below")), "utf-8"
    )
    results.record("one", "First", timing.comparisons)
    timing.comparisons.clear()
    listed = page.read_text(encoding="utf-8").partition("<!-- below:begin -->\n")[2].splitlines()
    assert listed == [
        "* one, slow: 2 of 3. Its products alone take a third.",
        "* one, minutes (less is better): 12 of 10. The network.",
        "<!-- below:end -->",
    ]


def test_every_kept_result_below_its_goal_says_why():
    records = json.loads(results.RESULTS.read_text(encoding="utf-8"))
    below = {
        f"{name}: {row['comparison']}": row.get("limit")
        for name, record in records.items()
        for row in record["comparisons"]
        if not timing.reaches_its_goal(row)
    }
    assert all(below.values()), [name for name, limit in below.items() if not limit]


def test_a_printed_line_is_kept_as_a_ratio(capsys):
    timing.comparisons.clear()
    timing.line("what", 0.5, 1.0, 3)
    assert timing.comparisons == [{"comparison": "what", "ratio": 2.0, "goal": 3}]
    assert "2.0x" in capsys.readouterr().out
    timing.comparisons.clear()
