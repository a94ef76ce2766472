import pytest

from repline.evaluation.claims.published import validate
from repline.report import gallery, readme, reference
from repline.report.content import describe
from repline.report.run_records import read_runs
from tests.report.toy_system import HOSTILE, PARAMETERS, published


@pytest.fixture
def references(project):
    report = describe(["toy", "waiting"], PARAMETERS, project / "stages", project / "data")
    return {"small": reference.collect(report, read_runs(project / "data/scratch/runs"))}


def test_a_reference_holds_verdicts_numbers_and_where_they_come_from(references):
    small = references["small"]
    toy = small["systems"]["toy"]
    assert toy["machine"] == "2 cores, Linux-6.1, Python 3.11.2"
    assert toy["date"] == "2026-11-21"
    assert small["systems"]["waiting"]["date"] == ""
    assert toy["claims"]["rises"] == {
        "asked": "toy.accuracy[2] >= toy.accuracy[0]",
        "verdict": "holds",
        "scale": "small",
        "expected": ">= 0.78",
        "measured": 0.99,
        "margin": pytest.approx(0.21),
        "interval": pytest.approx([0.19, 0.21]),
        "measured_interval": [0.97, 0.99],
        "replicates": 3,
    }
    assert {
        "table": "loss",
        "row": ["Loss table", "d", "full"],
        "published": 1.47213,
        "measured": 1.857,
        "interval": [1.897, 1.899],
        "replicates": 3,
    } in toy["numbers"]
    assert not any("mul" in number["row"] for number in toy["numbers"])
    assert toy["headline"]["interval"] == [0.97, 0.99]
    assert "stages.toy.evaluate" not in small["stages"]  # which a person ran
    assert small["stages"]["acquire@excerpt"] == {"seconds": 0.4, "core_seconds": 0.0, "peak_bytes": 0, "threads": 1}


def test_a_row_per_system(references):
    papers = {"toy": validate(published(f"Toy {HOSTILE}")), "waiting": validate(published())}
    lines = gallery.table(papers, references).splitlines()
    assert len(lines) == 4
    assert all(line.replace("\\|", "").count("|") == 5 for line in lines)
    assert "**99.0%** (97.0% to 99.0%; holds, at least 78% asked) accuracy at 2" in lines[2]
    assert lines[2].endswith("| holds |")
    assert "](stages/toy/)" in lines[2]
    assert "\\<script>" in lines[2]
    assert "not run: accuracy at 2" in lines[3]
    assert lines[3].endswith("| not run |")


def test_a_verdict_whose_parameters_changed_says_so(references):
    papers = {"toy": validate(published()), "waiting": validate(published())}
    lines = gallery.table(papers, references, {"toy": {"small": ["toy.seeds"]}}).splitlines()
    assert lines[2].endswith("| holds, with earlier parameters |") and lines[3].endswith("| not run |")
    assert gallery.table(papers, references, {"toy": {"paper": ["toy.seeds"]}}).splitlines()[2].endswith("| holds |")


def test_a_profile_with_results_of_few_systems_has_no_column(references):
    papers = {name: validate(published()) for name in ("toy", "waiting", "third")}
    systems = references["small"]["systems"]
    some = references | {"paper": references["small"] | {"systems": {"toy": systems["toy"]}}}
    assert gallery.table(papers, some).splitlines()[0] == "| system | paper | central effect | small |"
    most = references | {"paper": references["small"]}
    assert gallery.table(papers, most).splitlines()[0] == "| system | paper | central effect | small | paper |"


def test_a_record_is_a_line_of_the_file_and_is_read_as_it_was(references, tmp_path):
    reference.write(tmp_path / "small.json", references["small"])
    lines = (tmp_path / "small.json").read_text(encoding="utf-8").splitlines()
    assert sum('"rises":' in line and '"holds"' in line for line in lines) == 1
    assert reference.read(tmp_path)["small"] == references["small"]


def test_references_are_read_by_profile(tmp_path):
    assert reference.read(tmp_path) == {}
    (tmp_path / "real.json").write_text("{}")
    with pytest.raises(reference.InputError, match="no reference results"):
        reference.read(tmp_path)


BEGIN, END = "<!-- gallery:begin -->", "<!-- gallery:end -->"


def test_only_what_is_between_the_markers_is_replaced(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"# title\n\n{BEGIN}\nold\n{END}\n\nafter\n", encoding="utf-8")
    assert readme.replace(path, "gallery", "new", check=True) is True
    assert "old" in path.read_text(encoding="utf-8")
    assert readme.replace(path, "gallery", "new") is True
    assert path.read_text(encoding="utf-8") == f"# title\n\n{BEGIN}\nnew\n{END}\n\nafter\n"
    assert readme.replace(path, "gallery", "new") is False


@pytest.mark.parametrize("text", ["no markers", BEGIN, f"{END} {BEGIN}", f"{BEGIN}{END}{END}"])
def test_a_readme_without_its_markers_stays_as_it_is(tmp_path, text):
    path = tmp_path / "README.md"
    path.write_text(text)
    with pytest.raises(reference.InputError, match=r"README\.md: expected one line"):
        readme.replace(path, "gallery", "new")
    assert path.read_text() == text


def test_a_missing_readme_is_one_sentence(tmp_path):
    with pytest.raises(reference.InputError, match="no such file"):
        readme.replace(tmp_path / "README.md", "gallery", "new")


def test_results_of_some_systems_take_the_place_of_older_ones(references):
    old = references["small"]
    new = {"profile": "small", "systems": {"toy": {"date": "2027-01-01"}}, "stages": {"a": {}}, "exact": {}}
    both = reference.merged(old, new)
    assert both["systems"] == old["systems"] | new["systems"]
    assert both["systems"]["waiting"] == old["systems"]["waiting"]
    assert both["stages"] == old["stages"] | {"a": {}}
    of_today = reference.merged(old | {"exact": {"gone": {}, "a": {}}}, new, {"a"})
    assert of_today["stages"] == of_today["exact"] == {"a": {}}
