"""Examples in Markdown: blocks of Python and shell, and the output that the page shows for them.

A block of `python` or `sh` is run, in a folder where everything is built. A block of `text` right after it is its
output, where `...` stands for anything. A comment before a block, `<!-- not run: why -->`, leaves it out.
"""

import doctest
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

BLOCK = re.compile(
    r"(?P<mark><!-- not run: (?P<reason>[^>]+) -->\n+)?^```(?P<language>python|sh)\n(?P<code>.*?)^```$"
    r"(?:\n+^```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SEPARATOR = "\x1eend of an example\x1e"


@dataclass(frozen=True)
class Example:
    """One block of a page.

    Attributes:
        line: where its code begins.
        output: what the page shows as its output; None where it shows none.
        not_run: why it is not run; "" where it is.
    """

    language: Literal["python", "sh"]
    code: str
    line: int
    output: str | None = None
    not_run: str = ""


def examples(text: str) -> list[Example]:
    """The blocks of a page in their order."""
    return [
        Example(
            "python" if match["language"] == "python" else "sh",
            match["code"],
            text.count("\n", 0, match.start("code")) + 1,
            match["output"],
            match["reason"] or "",
        )
        for match in BLOCK.finditer(text)
    ]


def run(page: Path, root: Path, timeout: float = 600, any_output: bool = False) -> list[str]:
    """Run the examples of a page, its Python in one interpreter, and say what went wrong.

    Args:
        root: the folder to run in, a built checkout.
        timeout: seconds for all blocks of Python, and for each block of shell.
        any_output: do not compare what is printed: on another processor a model may answer otherwise.

    Returns:
        A sentence for each example that failed or printed something else.
    """
    to_run = [example for example in examples(page.read_text(encoding="utf-8")) if not example.not_run]
    if any_output:
        to_run = [replace(example, output=None) for example in to_run]
    python = [example for example in to_run if example.language == "python"]
    wrong = _run_python(page, python, root, timeout) if python else []
    for example in (example for example in to_run if example.language == "sh"):
        command = ["bash", "-euo", "pipefail", "-c", example.code]
        wrong += _compared(page, [example], _output(command, root, timeout))
    return wrong


def _run_python(page: Path, blocks: Sequence[Example], root: Path, timeout: float) -> list[str]:
    program = f"\nprint({SEPARATOR!r}, flush=True)\n".join(block.code for block in blocks)
    return _compared(page, blocks, _output([sys.executable, "-c", program], root, timeout))


def _output(command: Sequence[str], root: Path, timeout: float) -> tuple[str, str]:
    """What a command printed, and how it failed."""
    try:
        process = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "", f"it took more than {timeout:g} seconds"
    lines = process.stderr.strip().splitlines()
    return process.stdout, (lines[-1] if lines else f"exit status {process.returncode}") if process.returncode else ""


def _compared(page: Path, blocks: Sequence[Example], printed: tuple[str, str]) -> list[str]:
    output, failure = printed
    parts = output.split(f"{SEPARATOR}\n")
    wrong: list[str] = []
    for number, block in enumerate(blocks):
        if number >= len(parts) - bool(failure):
            return [*wrong, f"{page}, line {block.line}: {failure}"]
        expected = block.output
        if expected is not None and not doctest.OutputChecker().check_output(expected, parts[number], FLAGS):
            wrong.append(f"{page}, line {block.line}: expected {expected!r}, printed {parts[number]!r}")
    return wrong
