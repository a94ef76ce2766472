"""What a project's pyproject.toml says, and what it cannot say."""

from pathlib import Path

import pytest
import yaml

from flows.errors import InputError
from flows.project import settings
from tests.flows.conftest import CHECKOUT
from tests.module_imports import Imports


def test_flows_import_nothing_of_this_project():
    flows = Imports(CHECKOUT, ["flows"])
    imported = {(module, library) for module in flows.files for library in flows.of(module)[1]}
    assert [pair for pair in sorted(imported) if pair[1] in ("repline", "stages", "flow_rules", "tests")] == []
    assert "dvc" in {library for _, library in imported}


def test_a_project_that_says_nothing_leaves_its_logs_where_git_ignores_them(tmp_path):
    assert settings.scratch(tmp_path) == tmp_path / ".dvc/tmp/flow"
    assert settings.runs(tmp_path) == tmp_path / ".dvc/tmp/flow/runs"


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("scrach = 'x'", "has an entry 'scrach'; did you mean 'scratch'?"),
        ("first = 'code'", "first should be a list, found 'code'"),
        ("page = 'x'", "page should be a table, found 'x'"),
        ("[tool.dvc-parallel.fork]\npackages = 'x'", "tool.dvc-parallel.fork has an entry 'packages'"),
        ("[tool.dvc-parallel.fork]\nreloaded = ['x']", "tool.dvc-parallel.fork has no entry 'package', and needs one"),
        ("[tool.dvc-parallel.page]\nfile = 'x'", "tool.dvc-parallel.page has no entry 'sources', and needs one"),
        ("=", "this is not valid TOML"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path, entry, sentence):
    (tmp_path / "pyproject.toml").write_text(f"[tool.dvc-parallel]\n{entry}\n")
    with pytest.raises(InputError, match=r"pyproject\.toml") as error:
        settings.of(tmp_path)
    assert sentence in str(error.value)


def test_this_project_names_functions_that_exist():
    from flows.project import hooks

    names = settings.of(Path(CHECKOUT)).hooks
    assert len(names) > 5 and all(hooks.find(name) for name in names)


def test_what_runs_first_are_stages_that_always_run():
    for address in settings.of(CHECKOUT).first:
        file, _, name = address.rpartition(":")
        stages = yaml.safe_load((CHECKOUT / (file or "dvc.yaml")).read_text())["stages"]
        assert stages[name]["always_changed"] and not stages[name].get("deps")
