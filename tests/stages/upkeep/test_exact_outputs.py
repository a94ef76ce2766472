import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from repline.errors import InputError
from stages.upkeep.exact_outputs import exact_outputs

MAKE = "mkdir -p out && echo {rows} > out/rows && echo {folder} > out/card.json"


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config").write_text("[core]\n    analytics = false\n    no_scm = true\n")

    def run(rows, folder):
        stages = {
            "exact": {"cmd": MAKE.format(rows=rows, folder=folder), "outs": ["out"], "meta": {"exact": True}},
            "trained": {"cmd": "echo 1 > loss", "outs": ["loss"], "meta": {"threads": 1}},
        }
        (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}))
        subprocess.run([sys.executable, "-m", "dvc", "repro", "-q"], cwd=tmp_path, check=True)
        return exact_outputs(tmp_path)

    return run


def test_the_files_of_exact_stages_are_hashed_without_the_card(repository):
    first = repository(rows=1, folder="mirror")
    assert list(first) == ["exact"]
    assert list(first["exact"]) == ["out"]
    assert repository(rows=1, folder="web") == first
    assert repository(rows=2, folder="web") != first


def test_outside_a_repository_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match=str(tmp_path)):
        exact_outputs(tmp_path)


def test_what_is_fetched_and_counted_is_exact():
    root = Path(__file__).parents[3]
    for file, name in (("dvc.yaml", "acquire"), ("stages/lexicons/dvc.yaml", "wordnet")):
        stage = yaml.safe_load((root / file).read_text(encoding="utf-8"))["stages"][name]
        assert stage["meta"]["exact"] is True
