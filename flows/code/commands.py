"""Which Python a shell command runs: scripts, modules, entry points; and what cannot be seen from the command."""

import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

SEPARATORS = re.compile(r"[;&|()]+")
ASSIGNMENT = re.compile(r"(\w+)=(.*)", re.DOTALL)
INTERPRETER = re.compile(r"(?:python|pypy)[\d.]*")
SUBSTITUTION = re.compile(r"\$\((.*)\)", re.DOTALL)  # inside quotes; elsewhere its brackets are separators
PERHAPS_PYTHON = re.compile(r"python|\.py\b")
KEYWORDS = {"do", "then", "else", "elif", "if", "while", "until", "{", "!", "exec", "command", "nohup"}
RUNNERS = {
    *("uv", "poetry", "pipenv", "pdm", "rye", "hatch", "conda", "mamba", "micromamba", "pixi", "env", "nice", "time"),
    *("timeout", "stdbuf", "xargs", "parallel", "ionice", "taskset", "numactl", "chrt", "setsid", "flock", "sudo"),
}
FOLDER_OPTION = re.compile(r"(?:--chdir|--directory|--cwd)(?:=(.+))?")
SHORT_FOLDER_OPTION = {"env": "-C", "poetry": "-C"}
# debuggers, profilers and tracers that run a script or a module, as programs and as modules
MEASURING = {
    *("coverage", "debugpy", "ipdb", "kernprof", "memray", "pdb", "pudb", "pyinstrument", "scalene", "viztracer"),
}
LAUNCHERS = {
    *("torchrun", "accelerate", "deepspeed", "horovodrun", "mpirun", "mpiexec", "srun", "ipdb3", "mprof", "py-spy"),
    *MEASURING,
}
LAUNCHER_MODULES = {
    *("torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch"),
    *("cProfile", "memory_profiler", "profile", "trace"),
    *MEASURING,
}
SHELLS = {"bash", "sh", "zsh", "dash", "source", "."}
# options of Python that take a value: the rest of the word, or the next one; those without may come before, as in -um
WITH_VALUE = re.compile(r"-(?!-)[^cmWX]*([cmWX])(.*)", re.DOTALL)
LONG_WITH_VALUE = {"--check-hash-based-pycs", "--jit"}  # these take the next word


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


class Where(NamedTuple):
    """The folder that a command runs in, relative to the first one, and its PYTHONPATH."""

    folder: str = "."
    python_path: str = ""

    def inside(self, folder: str) -> "Where":
        """After `cd folder`."""
        return self._replace(folder=os.path.normpath(os.path.join(self.folder, folder)))

    def given(self, variables: Mapping[str, str]) -> "Where":
        """With these variables."""
        path = variables.get("PYTHONPATH", self.python_path)
        return self._replace(python_path=re.sub(r"\$(PYTHONPATH|\{PYTHONPATH\})", lambda _: self.python_path, path))

    def run(self, kind: str, name: str) -> Run | Unseen:
        """Something that is started here."""
        if kind == "unseen":
            return Unseen(name)
        return Run(kind, name, self.folder, tuple(filter(None, self.python_path.split(os.pathsep))))


START = Where()


def runs(command: str, programs: Collection[str] = (), where: Where = START) -> Iterator[Run | Unseen]:
    """What a command line of a shell runs, in order; programs that are no Python are left to the caller.

    Args:
        programs: the names of the project's own programs.
        where: what holds at the start of the command.
    """
    try:
        words = _words(command)
    except ValueError as error:
        yield Unseen(f"a command that is no shell ({error})")
        return
    outside: list[Where] = []  # before each bracket that is open
    for simple, separator in _simple_commands(words):
        for inner in (inner for word in simple for inner in SUBSTITUTION.findall(word)):
            started = runs(inner, programs, where)
            yield from (
                run for run in started if isinstance(run, Unseen) or run.kind != "program" or run.name in programs
            )
        variables, arguments = _without_prefix(simple)
        if arguments[:1] == ["cd"] and len(arguments) > 1:
            where = where.inside(arguments[1])
        elif arguments[:1] == ["export"] or not arguments:
            where = where.given({**variables, **_without_prefix(arguments[1:])[0]})
        else:
            yield from _started(arguments, programs, where.given(variables))
        for bracket in separator:
            if bracket == "(":
                outside.append(where)
            elif bracket == ")" and outside:
                where = outside.pop()


def _words(command: str) -> list[str]:
    lines = re.sub(r"`([^`]*)`", r"$(\1)", command.replace("\\\n", " ")).strip().replace("\n", " ; ")
    reader = shlex.shlex(lines, posix=True, punctuation_chars=True)
    reader.whitespace_split, reader.commenters = True, ""
    return list(reader)


def _simple_commands(words: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """The commands between `&&`, `;`, `|` and brackets, without redirections and comments, each with what follows."""
    simple: list[str] = []
    skipped = is_comment = False
    for word in words:
        if SEPARATORS.fullmatch(word):
            yield simple, word
            simple, skipped, is_comment = [], False, False
        elif re.fullmatch(r"[<>&|]+", word):  # a redirection, and the file after it
            skipped = True
        elif skipped:
            skipped = False
        elif is_comment or word.startswith("#"):
            is_comment = True
        else:
            simple.append(word)
    yield simple, ""


def _without_prefix(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """The variables before a command, and the command without them and without words of the shell's grammar."""
    variables: dict[str, str] = {}
    for position, word in enumerate(words):
        if assignment := ASSIGNMENT.fullmatch(word):
            variables[assignment[1]] = assignment[2]
        elif word not in KEYWORDS:
            return variables, words[position:]
    return variables, []


def _started(words: list[str], programs: Collection[str], where: Where) -> Iterator[Run | Unseen]:
    """What a simple command starts."""
    program = os.path.basename(words[0])
    options = [*takewhile(lambda word: word.startswith("-"), words[1:])]
    has_text = program in SHELLS and options and re.fullmatch("-[a-z]*c", options[-1])
    if INTERPRETER.fullmatch(program):
        yield from (where.run(kind, name) for kind, name in _of_python(words[1:]))
    elif program in RUNNERS:
        yield from _by_runner(words, programs, where)
    elif program in LAUNCHERS:
        yield from (where.run(kind, name) for kind, name in _launched(words[1:]))
    elif program == "find" and (executed := [*_after(words, "-exec"), *_after(words, "-execdir")]):
        yield from _started(executed, programs, where)
    elif program == "eval":
        yield from runs(" ".join(words[1:]), programs, where)
    elif has_text:
        yield from runs("".join(words[len(options) + 1 : len(options) + 2]), programs, where)
    elif notebook := next((word for word in words if word.endswith(".ipynb")), None):
        yield Unseen(f"the notebook {notebook}")
    elif words[0].endswith(".py"):
        yield where.run("script", words[0])
    elif program in SHELLS or words[0].endswith(".sh"):
        script = next((word for word in words if word.endswith(".sh")), " ".join(words[:3]))
        yield Unseen(f"the shell script {script}")
    elif program == "make" or (
        program not in programs and any(PERHAPS_PYTHON.search(SUBSTITUTION.sub("", word)) for word in words)
    ):
        yield Unseen(" ".join(words[:3]))
    else:
        yield where.run("program", program)


def _after(words: list[str], word: str) -> list[str]:
    return words[words.index(word) + 1 :] if word in words else []


def _of_python(words: list[str]) -> Iterator[tuple[str, str]]:
    """What `python WORDS` runs, its options read as CPython reads them."""
    waiting = iter(words)
    for word in waiting:
        if option := WITH_VALUE.fullmatch(word):
            value = option[2] or next(waiting, "")
            if option[1] == "c":
                yield "unseen", "the text after python -c"
                return
            if option[1] == "m":
                yield from _launched([*waiting]) if value in LAUNCHER_MODULES else [("module", value)]
                return
        elif word in LONG_WITH_VALUE:
            next(waiting, None)
        elif word == "-":
            break
        elif not word.startswith("-"):
            yield "script", word
            return
    yield "unseen", "what Python reads from its standard input"


def _by_runner(words: list[str], programs: Collection[str], where: Where) -> Iterator[Run | Unseen]:
    """What `uv run WORDS` and its like start: the first word that may be a program, after their options."""
    runner = os.path.basename(words[0])
    for position, word in enumerate(words[1:], 1):
        name, following = os.path.basename(word), "".join(words[position + 1 : position + 2])
        runner = name if name in RUNNERS else runner
        if option := FOLDER_OPTION.fullmatch(word):
            where = where.inside(option[1] or following)
        elif word == SHORT_FOLDER_OPTION.get(runner):
            where = where.inside(following)
        elif assignment := ASSIGNMENT.fullmatch(word):
            where = where.given({assignment[1]: assignment[2]})
        elif word == "-m":
            yield where.run("module", following)
            return
        elif INTERPRETER.fullmatch(name) or word.endswith((".py", ".sh")) or name in {*LAUNCHERS, *SHELLS, *programs}:
            yield from _started(words[position:], programs, where)
            return
    rest = [word for word in words[1:] if word != "run" and not word.startswith("-") and not ASSIGNMENT.fullmatch(word)]
    if rest:
        yield from _started(rest, programs, where)


def _launched(words: list[str]) -> Iterator[tuple[str, str]]:
    """What a launcher, a debugger or a profiler starts: the first script or module among its arguments."""
    for position, word in enumerate(words):
        if word.endswith(".py") and not word.startswith("-"):
            yield "script", word
            return
        if word in ("-m", "--module"):
            yield "module", "".join(words[position + 1 : position + 2])
            return
        if INTERPRETER.fullmatch(os.path.basename(word)):
            yield from _of_python(words[position + 1 :])
            return
    yield "unseen", "what a launcher starts"
