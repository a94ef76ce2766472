"""What a stage calls exact is the same bytes on every processor: here with the instructions of an older one."""

import subprocess
import sys

import numpy as np
import pytest
import yaml
from numpy._core import _multiarray_umath

from repline.graphs.attribute_scaling import unit_range
from repline.graphs.knowledge_graph import Numbers
from tests.commands import run_command

NEWER = [name for name in _multiarray_umath.__cpu_dispatch__ if _multiarray_umath.__cpu_features__.get(name)]
# the libraries read these when they are loaded, so that it needs a new interpreter
OLDER = {
    "NPY_DISABLE_CPU_FEATURES": " ".join(NEWER),
    "ATEN_CPU_CAPABILITY": "default",
    "MKL_CBWR": "COMPATIBLE",
    "OPENBLAS_CORETYPE": "Prescott",
}


@pytest.fixture
def graph(tmp_path):
    """A person's graph of 300 entities with a number each, over many orders of magnitude."""
    folder = tmp_path / "data/mine"
    folder.mkdir(parents=True)
    values = 10 ** np.random.default_rng(0).uniform(0, 9, 300)
    triples = [f"e{number}\tnext\te{(number + 1) % 300}" for number in range(300)]
    (folder / "triples.tsv").write_text("\n".join(triples) + "\n")
    (folder / "numbers.tsv").write_text(
        "".join(f"e{number}\tsize\t{value:.0f}\n" for number, value in enumerate(values))
    )
    section = {"place": "mine", "split": {"held_out": 0.2, "validation": 0.5, "seed": 0}, "logarithms": ["size"]}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump({"knowledge_graphs": {"mine": section}}))
    return tmp_path


def test_the_numbers_of_a_graph(graph):
    folder = graph / "data/corpora/mine"
    written = []
    for environment in ({}, OLDER):
        process = run_command(graph, "stages.knowledge_graphs.prepare", "mine", fresh=bool(environment), **environment)
        assert process.returncode == 0, process.stderr
        written.append({path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))})
    assert len(written[0]) >= 5 and written[0] == written[1]


def test_logarithms_are_rounded_correctly():
    """Each is the double nearest to the true value, which a hundred digits of decimals tell."""
    program = (
        "from decimal import Decimal, getcontext; getcontext().prec = 100\n"
        "print([float((1 + Decimal(v)).ln()) for v in (0.0, 1e-9, 0.5, 3.0, 123456.0, 9.87e15)])"
    )
    expected = yaml.safe_load(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout)
    values = np.array([0.0, 1e-9, 0.5, 3.0, 123456.0, 9.87e15])
    zeros = np.zeros(len(values), dtype=int)
    scaled = unit_range(Numbers(zeros, zeros, values, zeros), np.array([True]))
    assert scaled.tolist() == (np.array(expected) / expected[-1]).tolist()
