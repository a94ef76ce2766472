"""Which Python a command line runs, written as people write them."""

import pytest

from flows.code.commands import Run, Unseen, runs


def script(name: str, **more) -> Run:
    return Run("script", name, **more)


def module(name: str, **more) -> Run:
    return Run("module", name, **more)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python train.py --epochs 3", script("train.py")),
        ("python3.12 -u -W ignore src/train.py data/in.csv > log.txt 2>&1", script("src/train.py")),
        (".venv/bin/python -um pkg.train x.py", module("pkg.train")),
        ("uv run python x.py", script("x.py")),
        ("uv run --with numpy python -m pkg", module("pkg")),
        ("uv run x.py", script("x.py")),
        ("poetry run python -m pkg.a", module("pkg.a")),
        ("conda run -n env --no-capture-output python x.py", script("x.py")),
        ("nice -n 10 env SEED=1 python x.py", script("x.py")),
        ("time ./x.py", script("./x.py")),
        ("PYTHONPATH=.:lib SEED=1 python scripts/x.py", script("scripts/x.py", python_path=(".", "lib"))),
        ("cd inner && python x.py", script("x.py", folder="inner")),
        ("torchrun --nproc_per_node 2 train.py --lr 1", script("train.py")),
        ("accelerate launch --config_file a.yaml -m pkg.train", module("pkg.train")),
        ("python -m torch.distributed.run --nproc_per_node=2 train.py", script("train.py")),
        ("coverage run -m pkg.train", module("pkg.train")),
        ("my-tool train 'a b'", Run("program", "my-tool")),
        ("python 'my script.py'", script("my script.py")),
        ("python -c 'import train'", Unseen("the text after python -c")),
        ("jupyter nbconvert --execute a.ipynb", Unseen("the notebook a.ipynb")),
        ("papermill a.ipynb b.ipynb -p x 1", Unseen("the notebook a.ipynb")),
        ("bash run.sh 1", Unseen("the shell script run.sh")),
        ("./scripts/run.sh", Unseen("the shell script ./scripts/run.sh")),
        ("make features", Unseen("make features")),
        ("cat x.txt | python -", Unseen("what Python reads from its standard input")),
    ],
)
def test_what_a_command_runs(command, expected):
    (*_, last) = runs(command)
    assert last == expected


def test_several_commands():
    command = (
        "set -e\npython a.py --x \\\n  1; if true; then python b.py; fi  # python c.py\npython d.py | (python e.py)"
    )
    assert [run.name for run in runs(command) if isinstance(run, Run) and run.kind == "script"] == [
        *("a.py", "b.py", "d.py", "e.py")
    ]


def test_a_command_that_no_shell_reads():
    (run,) = runs("python 'x.py")
    assert isinstance(run, Unseen)
    assert "no shell" in run.what
