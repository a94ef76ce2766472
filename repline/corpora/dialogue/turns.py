"""Readers of conversations: each reader gives one conversation after the other, with its turns in order.

    chitchat       dataset.json of the package chitchat-dataset; messages that one sender wrote in a row are one turn
    self_dialogue  *.jsonl with {"id", "turns": [text, ...]} a line: dialogues that one person wrote for two
    own            conversations of your own: *.jsonl as above, where a turn may also be {"author", "text"}; or *.txt,
                   a turn a line and an empty line between two conversations

Source: https://github.com/BYU-PCCL/chitchat-dataset; Fainberg et al. 2018, "Talking to myself: self-dialogues as data
for conversational agents".
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from repline.corpora.dialogue.recipes import Form
from repline.corpora.line_groups import paragraphs
from repline.errors import InputError, in_one_line, shown
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.json_text import json_object
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import filled_lines, read_text
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

CHAT = "dataset.json"
FORMS = (".jsonl", ".txt")


class Turn(NamedTuple):
    """What one person says before another one does; `author` is empty where it is not known."""

    text: str
    author: str = ""


class Conversation(NamedTuple):
    """Turns that follow each other; `id` is distinct within a source."""

    id: str
    turns: list[Turn]


def read_chitchat(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Conversation]:
    """The conversations of chitchat-dataset, in the order of the file; turns without a character are left out.

    Args:
        on_error: at a wrong conversation; or an account of them, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: the file is missing or of another form.
    """
    path, left_out = Path(folder) / CHAT, LeftOut.of(on_error)
    try:
        conversations = json.loads(read_text(path, encoding))
    except ValueError as error:
        raise InputError(f"{path}: this is not valid JSON ({in_one_line(error)})") from None
    if not isinstance(conversations, dict):
        raise InputError(f"{path}: expected a mapping of conversations, found {type(conversations).__name__}")
    for name, conversation in conversations.items():
        with left_out:
            yield Conversation(name, _messages(path, name, conversation, left_out))


def _messages(path: Path, name: str, conversation: Any, left_out: LeftOut) -> list[Turn]:
    turns = []
    try:
        for group in conversation["messages"]:
            text = " ".join(" ".join(message["text"].split()) for message in group).strip()
            if text := clean_text(text, left_out.invisible):
                turns.append(Turn(text, group[0]["sender"]))
    except (KeyError, TypeError, AttributeError, IndexError):
        problem = "expected conversations with messages, each with a text and a sender"
        raise WrongRecord(path, f"conversation {shown(name)}", problem) from None
    return turns


def read_own(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Conversation]:
    """The conversations of a *.jsonl or *.txt file, or of all such files of a folder in the order of their names.

    Args:
        on_error: at a wrong conversation; or an account of them, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: no such file, a line that is not as described, or an empty turn, naming file and line.
    """
    folder = Path(folder)
    paths = [path for path in files_with(folder, *FORMS) if unpacked_name(path).endswith(FORMS)]
    if not paths:
        raise InputError(f"{folder}: expected conversations in *.jsonl or *.txt, found no such file")
    left_out = LeftOut.of(on_error)
    for path in paths:
        is_json = unpacked_name(path).endswith(".jsonl")
        yield from (_lines_of_json if is_json else _paragraphs)(path, encoding, left_out)


READERS: dict[Form, Callable[..., Iterator[Conversation]]] = {
    "chitchat": read_chitchat,
    "self_dialogue": read_own,
    "own": read_own,
}


def _lines_of_json(path: Path, encoding: str, left_out: LeftOut) -> Iterator[Conversation]:
    for number, line in filled_lines(path, encoding, left_out):
        try:
            listed: Any = json_object(line)["turns"]
            if not isinstance(listed, list):
                raise TypeError
            texts_and_authors = [
                (turn, "") if isinstance(turn, str) else (turn["text"], turn["author"]) for turn in listed
            ]
            turns = [
                Turn(" ".join(clean_text(text, left_out.invisible).split()), author)
                for text, author in texts_and_authors
            ]
            if not all(isinstance(turn.author, str) for turn in turns):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError):
            problem = 'expected {"turns": [...]}, of which each is a text, or an author and a text'
            left_out.add(WrongRecord(path, f"line {number}", problem))
            continue
        if empty := [position for position, turn in enumerate(turns, 1) if not turn.text]:
            left_out.add(WrongRecord(path, f"line {number}", f"turn {empty[0]} is empty", "an empty turn"))
            continue
        yield Conversation(f"{path.name}-{number}", turns)


def _paragraphs(path: Path, encoding: str, left_out: LeftOut) -> Iterator[Conversation]:
    """The paragraphs of a text; those with a line outside the encoding are left out as a whole."""
    for start, lines in paragraphs(path, encoding, left_out):
        yield Conversation(f"{path.name}-{start}", [Turn(" ".join(line.split())) for _, line in lines])
