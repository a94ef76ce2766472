"""The numbers of metrics and plots, by one flat name each."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.scm import NoSCMError
from dvc.utils.serialize import ParseError, load_path
from pygit2 import GitError

from flows.errors import InputError

WORKSPACE = "workspace"
MIN_REPLICATES = 3  # a list of at least this many numbers holds replicates of one number
LOW, HIGH = 0.025, 0.975

Files = Mapping[str, object]  # the content of each file of metrics or plots, by its path from the project's root


@dataclass(frozen=True)
class Value:
    """A number, or another scalar, and the interval of its replicates where it has some."""

    value: float | str | bool | None
    interval: tuple[float, float] | None = None

    @property
    def number(self) -> float | None:
        """The value, if it is a number."""
        return None if isinstance(self.value, bool | str) else self.value


def metrics(root: Path, revision: str) -> dict[str, object]:
    """The metrics of a revision, or of the workspace.

    Raises:
        InputError: there is no such revision, or a file of metrics cannot be read.
    """
    try:
        with Repo(str(root)) as repo:
            shown = repo.metrics.show(revs=[revision], hide_workspace=False)
            if revision not in shown or "error" in shown[revision]:
                raise InputError(f"the metrics of {revision} cannot be read: {shown.get(revision, {}).get('error')}")
            paths = [path for path, content in shown[revision]["data"].items() if _is_present(path, content)]
            for name in repo.brancher(revs=[revision]):
                if name == revision:  # DVC shows no lists: the files are read whole
                    return {path: load_path(f"/{path}", repo.dvcfs) for path in paths}
    except NoSCMError:
        raise InputError(
            f"{revision} is a revision of Git, which this project does not use; "
            "write the metrics by --save FILE, and compare with them later by --reference FILE"
        ) from None
    except GitError as error:  # of a repository that belongs to another user
        advice = f"`git config --global --add safe.directory {root.resolve()}` lets Git read it"
        raise InputError(f"the metrics of {revision} cannot be read: {error}; {advice}") from None
    except (DvcException, OSError) as error:
        raise InputError(f"the metrics of {revision} cannot be read: {error}") from None
    return {}


def _is_present(path: str, content: Mapping) -> bool:
    """Whether a file of metrics is there; it is not where it was not made yet, or not pulled.

    Raises:
        InputError: the file cannot be parsed.
    """
    error = content.get("error")
    if isinstance(error, ParseError):
        raise InputError(f"{path}: the metrics cannot be parsed; expected a JSON, YAML, TOML or Python file")
    return not isinstance(error, FileNotFoundError)


def plots(root: Path, revision: str) -> dict[str, object]:
    """The rows of all plots of a revision, or of the workspace; pictures are left out."""
    files: dict[str, object] = {}
    with Repo(str(root)) as repo:
        for shown in repo.plots.collect(revs=[revision]):
            sources = shown.get(revision, {}).get("sources", {}).get("data", {})
            for path, source in sources.items():
                content = source["data_source"]() if "data_source" in source else source
                if isinstance(content.get("data"), list | dict):
                    files[path] = content["data"]
    return files


def reference(file: Path) -> dict[str, object]:
    """The metrics that `--save` wrote.

    Raises:
        InputError: there is no such file, or it is another.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: expected metrics that `compare --save` wrote ({error})") from None
    if not isinstance(content, dict):
        raise InputError(f"{file}: expected metrics that `compare --save` wrote, found {type(content).__name__}")
    return content


def flat(files: Files) -> dict[str, Value]:
    """Every scalar by `file:key.key`; a list of numbers, or a value with an interval, is one number."""
    return {f"{path}:{name}": value for path, content in files.items() for name, value in _flat(content, "")}


def _flat(content: object, name: str) -> Iterator[tuple[str, Value]]:
    if isinstance(content, Mapping):
        if measured := _measured(content):
            yield name, measured
            return
        for key, inner in content.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(content, Sequence) and not isinstance(content, str):
        if len(content) >= MIN_REPLICATES and all(_is_number(number) for number in content):
            yield name, _of_replicates([float(number) for number in content])
            return
        for row, inner in enumerate(content):
            yield from _flat(inner, f"{name}[{row}]")
    elif isinstance(content, float | int | str) or content is None:
        yield name or "value", Value(content)
    else:
        yield name or "value", Value(str(content))


def _measured(content: Mapping) -> Value | None:
    """A number with its interval next to it: `{value: 0.8, interval: [0.7, 0.9]}`."""
    value, interval = content.get("value"), content.get("interval")
    if not _is_number(value) or not isinstance(interval, Sequence) or len(interval) != 2:
        return None
    low, high = interval
    return Value(float(value), (float(low), float(high))) if _is_number(low) and _is_number(high) else None  # type: ignore[arg-type]


def _of_replicates(numbers: list[float]) -> Value:
    """The mean of replicates, and the interval of the middle 95 % of them."""
    ordered = sorted(numbers)
    return Value(math.fsum(numbers) / len(numbers), (_quantile(ordered, LOW), _quantile(ordered, HIGH)))


def _quantile(ordered: list[float], share: float) -> float:
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
