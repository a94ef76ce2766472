import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from repline import yaml_text
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.report import content, reference
from stages import reference_results, report
from stages.upkeep import reference as reference_stage
from stages.upkeep import result_tables
from tests.commands import run_command
from tests.report.toy_system import PARAMETERS, as_reference, write_system
from tests.stages import parameter_files

ROOT = Path(report.__file__).parent.parent
SYSTEMS = sorted(path.parent.name for path in (ROOT / "stages").glob("*/published.yaml"))


def run(module, folder, *arguments):
    return run_command(folder, module, *arguments)


@pytest.fixture
def project(tmp_path):
    for name in SYSTEMS:
        folder = tmp_path / "stages" / name
        folder.mkdir(parents=True)
        for file in ("published.yaml", "claims.yaml"):
            shutil.copy(ROOT / "stages" / name / file, folder)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    return tmp_path


@cache
def report_stage_of_the_project():
    return yaml_text.parse((ROOT / "dvc.yaml").read_text())["stages"]["report"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_report_stage_depends_on_every_system(name):
    stage = report_stage_of_the_project()
    inputs = {f"data/evaluation/{name}/{file}.json" for file in ("claims", "figures", "metrics")}
    inputs |= {f"stages/{name}/claims.yaml", f"stages/{name}/published.yaml"}
    system = published.read(ROOT / "stages" / name / "published.yaml").model_dump(exclude_none=True)["system"]
    assert inputs <= set(stage["deps"])
    assert {"profile", *system["parameters"]} <= {name for name in stage["params"] if isinstance(name, str)}


def test_the_stage_builds_a_grey_page_before_anything_is_evaluated(project):
    process = run("stages.report", project)
    assert process.returncode == 0, process.stderr
    assert "0 holds, 0 fails" in process.stdout
    written = json.loads((project / "data/report/report.json").read_text())
    assert [system["name"] for system in written["systems"]] == SYSTEMS
    assert (project / "data/report/index.html").read_text().startswith("<!doctype html>")


def test_one_page_shows_the_profiles_that_were_run_here_and_the_references_of_others(tmp_path, monkeypatch):
    workspace = tmp_path / "data/scratch/workspaces/real"
    for root, profile in ((tmp_path, "small"), (workspace, "real")):
        write_system(root, "toy")
        parameter_files.write(root, PARAMETERS | {"profile": profile})
    monkeypatch.chdir(tmp_path)
    results = reference.collect(content.describe(["toy"], PARAMETERS))
    for profile in ("small", "real", "paper"):
        reference.write(f"results/{profile}.json", as_reference(results, profile))
    for root, other_profile in ((tmp_path, "real"), (workspace, "small")):
        monkeypatch.chdir(root)
        report.write_page("3 of 4 finished")
        page = (root / "data/report/index.html").read_text(encoding="utf-8")
        assert f"</span> {other_profile}: 0.99" in page
        assert "</span> paper (reference): 0.99" in page
        assert "3 of 4 finished" in page
        assert not (root / "data/report/report.json").exists()


def test_the_page_says_which_references_were_measured_with_earlier_parameters(tmp_path, monkeypatch):
    """The checkout and a workspace say so alike: parameters that a profile overrides are compared in the checkout."""
    workspace = tmp_path / "data/scratch/workspaces/real"
    for root, profile in ((tmp_path, "small"), (workspace, "real")):
        write_system(root, "toy")
        parameter_files.write(root, PARAMETERS | {"profile": profile})
    parameter_files.write(workspace, PARAMETERS | {"profile": "real", "other": {"epochs": 4}})
    described = content.describe(["toy"], PARAMETERS, tmp_path / "stages", tmp_path / "data")
    results = as_reference(reference.collect(described), "paper")
    used = {"toy.seeds": "12345678", "other": reference_results.digest(PARAMETERS, "other")}
    results["systems"]["toy"]["parameters"] = used
    reference.write(tmp_path / "results/paper.json", results)
    for root in (tmp_path, workspace):
        monkeypatch.chdir(root)
        report.write_page()
        page = (root / "data/report/index.html").read_text(encoding="utf-8")
        assert "</span> paper (reference, with earlier parameters): 0.99" in page
        assert "<code>paper</code> was measured before these parameters changed: <code>toy.seeds</code>." in page


def test_a_profile_of_ones_own_is_not_shown_as_the_profile_that_it_is_judged_as(tmp_path, monkeypatch):
    """Its claims are judged at the scale that it names, on data of its own."""
    workspaces = tmp_path / "data/scratch/workspaces"
    folders = {"small": tmp_path, "real": workspaces / "mine"}
    for profile, root in folders.items():
        write_system(root, "toy")
        parameter_files.write(root, PARAMETERS | {"profile": profile})
    monkeypatch.chdir(tmp_path)
    report.write_page()
    assert "</span> real: 0.99" not in Path("data/report/index.html").read_text(encoding="utf-8")
    monkeypatch.chdir(folders["real"])
    report.write_page()
    page = Path("data/report/index.html").read_text(encoding="utf-8")
    assert "</span> small: 0.99" in page
    assert "mine, judged as the real profile" in page


def test_a_run_with_other_parameters_than_the_reference_says_so(tmp_path, monkeypatch):
    workspace = tmp_path / "data/scratch/workspaces/mine"
    for root in (tmp_path, workspace):
        write_system(root, "toy")
        parameter_files.write(root, PARAMETERS)
    described = content.describe(["toy"], PARAMETERS, tmp_path / "stages", tmp_path / "data")
    results = as_reference(reference.collect(described), "small")
    results["systems"]["toy"]["parameters"] = {"toy": reference_results.digest(PARAMETERS, "toy")}
    reference.write(tmp_path / "results/small.json", results)
    parameter_files.write(workspace, PARAMETERS | {"toy": {"words": "corpora/mine"}})
    said = {}
    for root in (tmp_path, workspace):
        monkeypatch.chdir(root)
        report.write_page()
        page = Path("data/report/index.html").read_text(encoding="utf-8")
        said[root] = "was run here with other values than its reference results of <code>toy</code>" in page
        assert ("small <span" in page and "(with other parameters than the reference)</span>" in page) == said[root]
    assert said == {tmp_path: False, workspace: True}


def test_a_mistake_is_one_sentence_and_leaves_the_last_report(project):
    assert run("stages.report", project).returncode == 0
    before = (project / "data/report/index.html").read_bytes()
    path = project / "stages" / SYSTEMS[0] / "claims.yaml"
    path.write_text(path.read_text().replace("measured:", "mesured:", 1))
    process = run("stages.report", project)
    assert process.returncode == 1
    assert "did you mean 'measured'" in process.stderr
    assert "Traceback" not in process.stderr
    assert (project / "data/report/index.html").read_bytes() == before


def test_what_was_measured_goes_into_readme_and_pages(project, monkeypatch, capsys):
    block = "<!-- ledger:begin -->\n<!-- ledger:end -->\n"
    (project / "README.md").write_text(f"# x\n{block}<!-- gallery:begin -->\n<!-- gallery:end -->\n")
    (project / "docs").mkdir(exist_ok=True)
    (project / "docs/ledger.md").unlink(missing_ok=True)
    (project / "docs/ledger.md").write_text(f"# z\n{block}")
    for name in SYSTEMS:
        page = project / "stages" / name / "README.md"
        page.unlink(missing_ok=True)
        page.write_text("# y\n<!-- results:begin -->\n<!-- results:end -->\n")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / ".dvc").mkdir()
    (project / ".dvc/config").write_text("[core]\nanalytics = false\n")
    early = run("stages.upkeep.reference", project, "--no-run")
    assert early.returncode == 1
    assert "make reference" in early.stderr
    assert run("stages.report", project).returncode == 0
    monkeypatch.chdir(project)
    reference_stage.main(["--no-run"])
    assert "git add results" in capsys.readouterr().out
    assert json.loads((project / "results/small.json").read_text())["profile"] == "small"
    assert all(f"](stages/{name}/)" in (project / "README.md").read_text() for name in SYSTEMS)
    assert all(f"](../stages/{name}/README.md) |" in (project / "docs/ledger.md").read_text() for name in SYSTEMS)
    reference_stage.main(["--compare", "data/report/report.json"])
    assert capsys.readouterr().out == "no number to compare\n"  # nothing is evaluated here
    with pytest.raises(InputError, match=r"expected reference results or a report\.json"):
        reference_stage.main(["--compare", "params.yaml"])
    assert result_tables.main(["--check"]) == 0
    (project / "stages" / SYSTEMS[0] / "README.md").write_text("<!-- results:begin -->\n9.9\n<!-- results:end -->\n")
    stale = run("stages.upkeep.result_tables", project, "--check")
    assert stale.returncode == 1
    assert f"stages/{SYSTEMS[0]}/README.md" in stale.stdout


def test_the_pages_are_as_they_are_written_from_the_results(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert result_tables.write(check=True) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_records_of_a_system_are_sound(name):
    stated = judgement.read(ROOT / "stages" / name / "claims.yaml")
    paper = published.read(ROOT / "stages" / name / "published.yaml").model_dump(exclude_none=True)
    claim_ids = {claim.id for claim in stated}
    assert claim_ids
    assert {link for statement in paper["statements"] for link in statement.get("claims", [])} <= claim_ids
