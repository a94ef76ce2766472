"""Which Python a shell command runs: scripts, modules, entry points; and what cannot be seen from the command."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SEPARATORS = re.compile(r"[;&|()]+")
ASSIGNMENT = re.compile(r"(\w+)=(.*)", re.DOTALL)
INTERPRETER = re.compile(r"(?:python|pypy)[\d.]*")
KEYWORDS = {"do", "then", "else", "elif", "if", "while", "until", "{", "!", "time", "exec", "command", "nohup"}
RUNNERS = {"uv", "poetry", "pipenv", "pdm", "rye", "hatch", "conda", "mamba", "micromamba", "pixi", "env", "nice"}
LAUNCHERS = {"torchrun", "accelerate", "deepspeed", "coverage", "horovodrun", "mpirun", "mpiexec", "srun"}
LAUNCHER_MODULES = {"torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch", "coverage"}
SHELLS = {"bash", "sh", "zsh", "dash", "source", "."}
WITH_VALUE = {"-W", "-X", "--check-hash-based-pycs"}  # options of Python that take the next word


@dataclass(frozen=True)
class Run:
    """Python that a command runs.

    Attributes:
        kind: "script", "module" or "program" (which may be an entry point of the project).
        name: the path of a script, the dotted name of a module, the name of a program.
        folder: the current folder at that moment, relative to the one that the command starts in.
        python_path: the folders that the command itself puts into PYTHONPATH.
    """

    kind: str
    name: str
    folder: str = "."
    python_path: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unseen:
    """Something that a command runs whose code is not followed."""

    what: str


def runs(command: str) -> Iterator[Run | Unseen]:
    """What a command line of a shell runs, in order; programs that are no Python are left to the caller."""
    try:
        words = _words(command)
    except ValueError as error:
        yield Unseen(f"a command that is no shell ({error})")
        return
    folder = "."
    for simple in _simple_commands(words):
        variables, arguments = _without_prefix(simple)
        if arguments[:1] == ["cd"] and len(arguments) > 1:
            folder = os.path.normpath(os.path.join(folder, arguments[1]))
        elif arguments:
            python_path = tuple(filter(None, variables.get("PYTHONPATH", "").split(os.pathsep)))
            for kind, name in _started(arguments):
                yield Unseen(name) if kind == "unseen" else Run(kind, name, folder, python_path)


def _words(command: str) -> list[str]:
    lines = command.replace("\\\n", " ").strip().replace("\n", " ; ")
    reader = shlex.shlex(lines, posix=True, punctuation_chars=True)
    reader.whitespace_split, reader.commenters = True, ""
    return list(reader)


def _simple_commands(words: Sequence[str]) -> Iterator[list[str]]:
    """The commands between `&&`, `;`, `|` and brackets, without redirections and comments."""
    simple: list[str] = []
    skipped = is_comment = False
    for word in words:
        if SEPARATORS.fullmatch(word):
            yield simple
            simple, skipped, is_comment = [], False, False
        elif re.fullmatch(r"[<>&|]+", word):  # a redirection, and the file after it
            skipped = True
        elif skipped:
            skipped = False
        elif is_comment or word.startswith("#"):
            is_comment = True
        else:
            simple.append(word)
    yield simple


def _without_prefix(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """The variables before a command, and the command without them and without words of the shell's grammar."""
    variables: dict[str, str] = {}
    for position, word in enumerate(words):
        if assignment := ASSIGNMENT.fullmatch(word):
            variables[assignment[1]] = assignment[2]
        elif word not in KEYWORDS:
            return variables, words[position:]
    return variables, []


def _started(words: list[str]) -> Iterator[tuple[str, str]]:
    """What a simple command starts: kind and name."""
    program = os.path.basename(words[0])
    if INTERPRETER.fullmatch(program):
        yield from _of_python(words[1:])
    elif program in RUNNERS:
        yield from _by_runner(words[1:])
    elif program in LAUNCHERS:
        yield from _launched(words[1:])
    elif notebook := next((word for word in words if word.endswith(".ipynb")), None):
        yield "unseen", f"the notebook {notebook}"
    elif words[0].endswith(".py"):
        yield "script", words[0]
    elif program in SHELLS or words[0].endswith(".sh"):
        script = next((word for word in words if word.endswith(".sh")), " ".join(words[:3]))
        yield "unseen", f"the shell script {script}"
    elif program == "make":
        yield "unseen", " ".join(words[:3])
    else:
        yield "program", program


def _of_python(words: list[str]) -> Iterator[tuple[str, str]]:
    """What `python WORDS` runs."""
    waiting = iter(enumerate(words))
    for position, word in waiting:
        if word in WITH_VALUE:
            next(waiting, None)
        elif re.fullmatch(r"-[a-zA-Z]*m", word):
            module = "".join(words[position + 1 : position + 2])
            if module in LAUNCHER_MODULES:
                yield from _launched(words[position + 2 :])
            else:
                yield "module", module
            return
        elif re.fullmatch(r"-[a-zA-Z]*c", word):
            yield "unseen", "the text after python -c"
            return
        elif not word.startswith("-"):
            yield "script", word
            return
    yield "unseen", "what Python reads from its standard input"


def _by_runner(words: list[str]) -> Iterator[tuple[str, str]]:
    """What `uv run WORDS` and its like start: the first word that may be a program, after their options."""
    for position, word in enumerate(words):
        name = os.path.basename(word)
        if INTERPRETER.fullmatch(name) or word.endswith((".py", ".sh")) or name in LAUNCHERS | SHELLS:
            yield from _started(words[position:])
            return
        if word == "-m":
            yield "module", "".join(words[position + 1 : position + 2])
            return
    rest = [word for word in words if word != "run" and not word.startswith("-") and not ASSIGNMENT.fullmatch(word)]
    if rest:
        yield from _started(rest)


def _launched(words: list[str]) -> Iterator[tuple[str, str]]:
    """What a launcher of training starts: the first script or module among its arguments."""
    for position, word in enumerate(words):
        if word.endswith(".py"):
            yield "script", word
            return
        if word in ("-m", "--module"):
            yield "module", "".join(words[position + 1 : position + 2])
            return
        if INTERPRETER.fullmatch(os.path.basename(word)):
            yield from _of_python(words[position + 1 :])
            return
    yield "unseen", "what a launcher starts"
