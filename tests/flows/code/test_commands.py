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
        ("coverage run --include=a.py x.py", script("x.py")),
        ("python -mutil o9", module("util")),
        ("python -umutil o9", module("util")),
        ("python -Wignore -Xdev x.py", script("x.py")),
        ("python -uW ignore -uX dev x.py", script("x.py")),
        ("python -Wmodule x.py", script("x.py")),
        ("python --check-hash-based-pycs never -- x.py", script("x.py")),
        ("python -mcProfile -o out.prof x.py", script("x.py")),
        ("python -m cProfile -s time -m pkg.train", module("pkg.train")),
        ("python -m profile x.py", script("x.py")),
        ("python -m pdb -c continue x.py", script("x.py")),
        ("python -m trace --count x.py 1", script("x.py")),
        ("python -m debugpy --listen 5678 --wait-for-client -m pkg", module("pkg")),
        ("python -m scalene run x.py", script("x.py")),
        ("scalene --cpu x.py", script("x.py")),
        ("py-spy record -o out.svg -- python x.py", script("x.py")),
        ("uv run kernprof -l x.py", script("x.py")),
        ("(cd inner && python x.py) && python x.py", script("x.py")),
        ("(cd a && (cd b; python x.py); python x.py)", script("x.py", folder="a")),
        ("env -C inner python x.py", script("x.py", folder="inner")),
        ("timeout 60 uv run --directory=inner x.py", script("x.py", folder="inner")),
        ("conda run --cwd inner -n base python x.py", script("x.py", folder="inner")),
        ("export PYTHONPATH=lib; python x.py", script("x.py", python_path=("lib",))),
        ("export PYTHONPATH=a && PYTHONPATH=b:$PYTHONPATH python x.py", script("x.py", python_path=("b", "a"))),
        ("(export PYTHONPATH=lib; true); python x.py", script("x.py")),
        ("env PYTHONPATH=lib python x.py", script("x.py", python_path=("lib",))),
        ("stdbuf -oL python x.py", script("x.py")),
        ("ls data | xargs -n 1 python x.py", script("x.py")),
        ("/usr/bin/time -v ionice -c 2 taskset 3 python x.py", script("x.py")),
        ("find . -name '*.csv' -exec python x.py {} \\;", script("x.py")),
        ("eval 'python x.py'", script("x.py")),
        ("bash -ec 'cd inner; python x.py'", script("x.py", folder="inner")),
        ("uv run --extra gpu train --lr 1", Run("program", "train")),
        ("timeout -k 5 60 train", Run("program", "train")),
        ("nice -n 10 time -p env A=1 my-tool x", Run("program", "10")),
        ("bash run.sh -c 1", Unseen("the shell script run.sh")),
        ("pytest x.py", Unseen("pytest x.py")),
        ("$P x.py", Unseen("$P x.py")),
        ("my-tool train 'a b'", Run("program", "my-tool")),
        ("python 'my script.py'", script("my script.py")),
        ("python -c 'import train'", Unseen("the text after python -c")),
        ("python -c'import train' x.py", Unseen("the text after python -c")),
        ("python -m pdb", Unseen("what a launcher starts")),
        ("jupyter nbconvert --execute a.ipynb", Unseen("the notebook a.ipynb")),
        ("papermill a.ipynb b.ipynb -p x 1", Unseen("the notebook a.ipynb")),
        ("bash run.sh 1", Unseen("the shell script run.sh")),
        ("./scripts/run.sh", Unseen("the shell script ./scripts/run.sh")),
        ("make features", Unseen("make features")),
        ("cat x.txt | python -", Unseen("what Python reads from its standard input")),
        ("python - x.py < program.txt", Unseen("what Python reads from its standard input")),
    ],
)
def test_what_a_command_runs(command, expected):
    (*_, last) = runs(command, programs={"train"})
    assert last == expected


def test_several_commands():
    command = (
        "set -e\npython a.py --x \\\n  1; if true; then python b.py; fi  # python c.py\npython d.py | (python e.py)"
    )
    assert [run.name for run in runs(command) if isinstance(run, Run) and run.kind == "script"] == [
        *("a.py", "b.py", "d.py", "e.py")
    ]


@pytest.mark.parametrize(
    "command", ['echo "$(cd a; python x.py)"', "echo `cd a; python x.py`", "echo $(cd a; python x.py)"]
)
def test_commands_whose_output_is_a_word(command):
    started = [*runs(command)]
    assert script("x.py", folder="a") in started and not any(isinstance(run, Unseen) for run in started)


def test_a_command_that_no_shell_reads():
    (run,) = runs("python 'x.py")
    assert isinstance(run, Unseen)
    assert "no shell" in run.what
