"""Edits of a dvc.yaml as text: the lines that say something new are added, all others stay as they are."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from flows.errors import InputError

PLAIN = re.compile(r"[\w./@+-]+")  # what needs no quotes, unless it is a number, a date or a truth value
AFTER = ("deps", "wdir", "cmd")  # params stand behind the first of these that a stage has


@dataclass(frozen=True)
class Change:
    """What one stage of a file has to say.

    Attributes:
        file: the digests, relative to the stage's folder.
        keys: the digests that it depends on.
        covered: entries of its `deps` that the digests are about.
    """

    file: str
    keys: tuple[str, ...]
    covered: tuple[str, ...] = ()


class Edit(NamedTuple):
    """A part of a text, from one offset to another, and what takes its place."""

    start: int
    end: int
    text: str


def bodies(text: str) -> dict[str, dict]:
    """What each stage of a dvc.yaml says: of a foreach, the part that is repeated."""
    return {name: _body(entry) for name, entry in (_values(text).get("stages") or {}).items()}


def with_changes(text: str, changes: Mapping[str, Change], name: str) -> str:
    """The text of a dvc.yaml with what its stages have to say.

    Args:
        changes: by the name of the stage in the file.
        name: the file, for the message.

    Raises:
        InputError: it is written in a way that this cannot edit.
    """
    if (edited := _with_first_edits(text, changes)) is not None:
        return edited
    for stage, change in changes.items():
        expected = _expected(_values(text), {stage: change})
        if expected == _without_empty(_values(text)):
            continue
        candidates = (_applied(text, edits) for edits in _ways(_tree(text), text, stage, change))
        edited = next((candidate for candidate in candidates if _reads(candidate) == expected), None)
        if edited is None:
            entry = f"params: [{_entry(change, in_braces=True)}]"
            raise InputError(f"{name}: stage {stage!r} is written so that it cannot be edited here; add to it: {entry}")
        text = edited
    return text


def with_stage(text: str, stage: str, command: str, output: str, name: str) -> str:
    """The text of a dvc.yaml with the stage that writes the digests, before its other stages.

    Raises:
        InputError: it is written in a way that this cannot edit.
    """
    values: dict = {"desc": "Digest the code that each stage's command can reach.", "cmd": command}
    values |= {"always_changed": True, "outs": [output]}
    expected = _values(text)
    expected["stages"] = {stage: values, **(expected.get("stages") or {})}
    stages = _tree(text).get("stages")
    has_stages = isinstance(stages, CommentedMap) and len(stages) > 0
    column = stages.lc.key(next(iter(stages)))[1] if has_stages else 2
    key, inner = " " * column, " " * (column + 2)
    lines = f"{key}{stage}:\n{inner}desc: {values['desc']}\n{inner}cmd: {command}\n{inner}always_changed: true\n"
    lines += f"{inner}outs:\n{inner}{' ' * _offset_of_items(text)}- {_scalar(output)}\n"
    begin = re.search(r"^stages:[^\n]*\n", text, re.MULTILINE)
    if has_stages and begin:
        edited = text[: begin.end()] + lines + ("\n" if "\n\n" in text else "") + text[begin.end() :]
    else:
        rest = re.sub(r"^stages:[ \t]*(\{\})?[ \t]*$\n?", "", text, flags=re.MULTILINE)
        edited = (f"{rest.rstrip()}\n\n" if rest.strip() else "") + "stages:\n" + lines
    if _reads(edited) != _without_empty(expected):
        raise InputError(f"{name} is written so that it cannot be edited here; add to its stages:\n{lines}")
    return edited


def _with_first_edits(text: str, changes: Mapping[str, Change]) -> str | None:
    """The text with all changes at once, each edited in the way that mostly does it; None where that is not right."""
    values = _values(text)
    expected = _expected(values, changes)
    if expected == _without_empty(values):
        return text
    tree, edits = _tree(text), list[Edit]()
    for stage, change in changes.items():
        if _expected(values, {stage: change}) != _without_empty(values):
            edits += next(_ways(tree, text, stage, change), [])
    edited = _applied(text, edits)
    return edited if _reads(edited) == expected else None


def _expected(values: dict, changes: Mapping[str, Change]) -> dict:
    """What the edited file has to say."""
    values = deepcopy(values)
    for stage, change in changes.items():
        _change(_body(values["stages"][stage]), change)
    return _without_empty(values)


def _change(body: dict, change: Change) -> None:
    params = list(body.get("params") or [])
    if change.file not in params:  # which takes all of it
        entries = [entry for entry in params if isinstance(entry, dict) and change.file in entry]
        if entries:
            before = entries[0][change.file]
            if before is not None and set(before) != set(change.keys):
                entries[0][change.file] = _keys(before, change)
        else:
            params.insert(0, {change.file: list(change.keys)})
    body["params"] = params
    body["deps"] = [entry for entry in body.get("deps") or [] if entry not in change.covered]


def _keys(before: Sequence[str], change: Change) -> list[str]:
    new = [key for key in change.keys if key not in before]
    return [*new, *(key for key in before if key in change.keys)]


def _ways(tree: CommentedMap, text: str, stage: str, change: Change) -> Iterator[list[Edit]]:
    """Edits that may do it; a way of writing that they do not foresee shows in what the result says."""
    body = _body(tree["stages"][stage])
    if not isinstance(body, CommentedMap):
        return
    lines = _Lines(text)
    deps, params = body.get("deps"), body.get("params")
    covered = [position for position, entry in enumerate(deps or []) if entry in change.covered]
    removed = list(lines.without(body, "deps", covered)) if covered else []
    if isinstance(params, CommentedSeq) and len(params):
        entry = next((entry for entry in params if isinstance(entry, CommentedMap) and change.file in entry), None)
        if entry is None:
            yield [*removed, lines.insertion(params, _entry(change, in_braces=bool(params.fa.flow_style())))]
        elif isinstance(keys := entry[change.file], CommentedSeq):
            new = [key for key in change.keys if key not in keys]
            gone = [position for position, key in enumerate(keys) if key not in change.keys]
            added = [lines.insertion(keys, _scalar(key)) for key in new[::-1]]
            yield [*removed, *added, *lines.without(entry, change.file, gone)]
        else:
            yield removed
        return
    keys = list(body)
    if body.fa.flow_style():
        line, column = body.lc.key(keys[0])
        position = lines.offset(line, column)
        yield [*removed, Edit(position, position, f"params: [{_entry(change, in_braces=True)}], ")]
        return
    column = body.lc.key(keys[0])[1]
    space = " " * column
    new_lines = f"{space}params:\n{space}{' ' * _offset_of_items(text)}- {_entry(change)}\n"
    before = next(key for key in AFTER if key in body)
    following = keys[keys.index(before) + 1 :]
    positions = [_last_line(body, before) + 1] if before == "deps" else []
    positions += [body.lc.key(key)[0] for key in (*following[:1], keys[0])]
    for line in positions:
        offset = lines.offset(line, 0)
        yield [*removed, Edit(offset, offset, new_lines)]


class _Lines:
    """A text by its lines, and edits of the lists in it."""

    def __init__(self, text: str):
        self.lines = text.splitlines(keepends=True)
        if self.lines and not self.lines[-1].endswith("\n"):
            self.lines[-1] += "\n"
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """The offset of a position in the text."""
        return self.starts[min(line, len(self.lines))] + column

    def insertion(self, items: CommentedSeq, text: str) -> Edit:
        """A new first item of a list."""
        line, column = items.lc.item(0)
        if items.fa.flow_style():
            position = self.offset(line, column)
            return Edit(position, position, f"{text}, ")
        dash = self.lines[line][:column].rfind("-")
        position = self.offset(line, 0)
        return Edit(position, position, f"{self.lines[line][: max(dash, 0)]}- {text}\n")

    def without(self, parent: CommentedMap, key: str, positions: Sequence[int]) -> Iterator[Edit]:
        """Remove items of a list, and its key with the last of them."""
        items = parent[key]
        if len(positions) == len(items) and not parent.fa.flow_style():
            yield self._line(parent.lc.key(key)[0])
            if items.fa.flow_style():
                return
        if not items.fa.flow_style():
            yield from (self._line(items.lc.item(position)[0]) for position in positions)
            return
        starts = [self.offset(*items.lc.item(position)) for position in range(len(items))]
        tail = len(items)  # from here on all items go, with the comma before them
        while tail - 1 in positions:
            tail -= 1
        yield from (Edit(starts[position], starts[position + 1], "") for position in positions if position < tail)
        if tail < len(items):
            text = "".join(self.lines)
            begin = text.rindex(",", 0, starts[tail]) if tail else starts[tail]
            yield Edit(begin, text.index("]", starts[-1]), "")

    def _line(self, line: int) -> Edit:
        return Edit(self.starts[line], self.starts[line + 1], "")


def _applied(text: str, edits: Sequence[Edit]) -> str:
    if not text.endswith("\n"):
        text += "\n"
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _last_line(parent: CommentedMap, key: str) -> int:
    """The line of the last value in what a key has."""
    value, line = parent[key], parent.lc.value(key)[0]
    while isinstance(value, CommentedMap | CommentedSeq) and len(value):
        if isinstance(value, CommentedMap):
            last = list(value)[-1]
            line, value = value.lc.value(last)[0], value[last]
        else:
            line, value = value.lc.item(len(value) - 1)[0], value[-1]
    return line


def _offset_of_items(text: str) -> int:
    """How far the items of lists stand in from their key, as in the first list of the file."""
    list_start = re.search(r"^( *)(?:- )?[\w.-]+:[ \t]*(?:#[^\n]*)?\n( *)- ", text, re.MULTILINE)
    return max(len(list_start[2]) - len(list_start[1]), 0) if list_start else 2


def _entry(change: Change, in_braces: bool = False) -> str:
    text = f"{_scalar(change.file)}: [{', '.join(map(_scalar, change.keys))}]"
    return f"{{{text}}}" if in_braces else text


def _scalar(text: str) -> str:
    is_plain = PLAIN.fullmatch(text) and YAML(typ="safe").load(text) == text
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _body(entry: dict) -> dict:
    """What a stage says: of a foreach, the part that is repeated."""
    return entry["do"] if "foreach" in entry else entry


def _tree(text: str) -> CommentedMap:
    return YAML().load(text) or CommentedMap()


def _values(text: str) -> dict:
    return YAML(typ="safe").load(text) or {}


def _reads(text: str) -> dict | None:
    try:
        return _without_empty(_values(text))
    except YAMLError:
        return None


def _without_empty(values: dict) -> dict:
    """The content of a file without empty lists of dependencies."""
    values = deepcopy(values)
    for entry in (values.get("stages") or {}).values():
        body = _body(entry) if isinstance(entry, dict) else {}
        for key in ("deps", "params"):
            if isinstance(body, dict) and not body.get(key, True):
                del body[key]
    return values
