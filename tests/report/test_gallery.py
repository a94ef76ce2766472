import pytest

from repline.errors import InputError
from repline.report import gallery
from repline.report.content import describe
from tests.report.toy_system import PARAMETERS

BEGIN, END = "<!-- gallery:begin -->", "<!-- gallery:end -->"


@pytest.fixture
def report(project):
    return describe(["toy", "waiting"], PARAMETERS, project / "stages", project / "data")


def test_a_row_per_system(report):
    lines = gallery.table(report).splitlines()
    assert len(lines) == 4
    assert all(line.replace("\\|", "").count("|") == 5 for line in lines)
    assert "**99.0%** accuracy at 2" in lines[2]
    assert "1 hold, 1 fail, 1 not run" in lines[2]
    assert "](stages/toy/)" in lines[2]
    assert "\\<script>" in lines[2]
    assert "not run: accuracy at 2" in lines[3]


def test_update_replaces_only_what_is_between_the_markers(tmp_path, report):
    readme = tmp_path / "README.md"
    readme.write_text(f"# title\n\n{BEGIN}\nold\n{END}\n\nafter\n", encoding="utf-8")
    assert gallery.update(readme, report) is True
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"# title\n\n{BEGIN}\n| system |")
    assert text.endswith(f"|\n{END}\n\nafter\n")
    assert "\nold\n" not in text
    assert gallery.update(readme, report) is False
    assert readme.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text",
    ["no markers", BEGIN, f"{END} {BEGIN}", f"{BEGIN}{END}{END}"],
)
def test_a_readme_without_its_markers_stays_as_it_is(tmp_path, report, text):
    readme = tmp_path / "README.md"
    readme.write_text(text)
    with pytest.raises(InputError, match=r"README\.md: expected one line"):
        gallery.update(readme, report)
    assert readme.read_text() == text


def test_a_missing_readme_is_one_sentence(tmp_path, report):
    with pytest.raises(InputError, match="no such file"):
        gallery.update(tmp_path / "README.md", report)
