"""Turns of dialogues: what users want, and whether they want anything at all.

sgd           user turns of Schema-Guided Dialogue about flights and hotels; `service`: Flights, Hotels; `intent`
clinc         questions to an assistant (CLINC150); `intent`, of 150 or `oos` for out of scope, and its `domain`
chat_or_task  `act`: chat, messages of chitchat-dataset; task, synthetic turns or those of sgd, whichever file is there

Sources: Rastogi et al. 2020; Larson et al. 2019; https://github.com/BYU-PCCL/chitchat-dataset
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from repline.corpora.labelled.document import Document
from repline.errors import InputError, in_one_line, shown
from repline.reading.text_files import filled_lines, read_text, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

SGD, TURNS, CHAT = "sgd_flights_hotels.jsonl", "task_turns.tsv", "dataset.json"
CLINC, DOMAINS = "clinc150_data_small.json", "clinc150_domains.json"
OOS = "oos"  # the intent and the domain of what is out of scope
PARTS = {"train": "train", "val": "dev", "test": "test"}


def read_sgd(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The user turns with a service, in the order of the file.

    Args:
        on_error: at a wrong dialogue; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: the file is missing, or a line is no dialogue.
    """
    path, left_out = Path(folder) / SGD, LeftOut.of(on_error)
    for number, line in filled_lines(path, encoding, left_out):
        with left_out:
            yield from _user_turns(path, number, line)


def _user_turns(path: Path, number: int, line: str) -> list[Document]:
    documents = []
    try:
        dialogue = json.loads(line)
        for turn_number, turn in enumerate(dialogue["turns"]):
            if turn["speaker"] != "USER":
                continue
            frames = turn["frames"]
            intents = sorted({frame["state"]["active_intent"] for frame in frames} - {"NONE"})
            services = sorted({frame["service"].partition("_")[0] for frame in frames})
            labels = {"service": services, "intent": intents}
            documents.append(Document(f"{dialogue['dialogue_id']}-{turn_number}", turn["utterance"], labels))
    except (ValueError, KeyError, TypeError, RecursionError):
        problem = "expected a dialogue with turns, speakers and frames"
        raise WrongRecord(path, f"line {number}", problem) from None
    return documents


def read_clinc(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The questions in three parts, those out of scope with the intent and the domain `oos`.

    Args:
        on_error: at a wrong question; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a file is missing or of another form.
    """
    path, left_out = Path(folder) / CLINC, LeftOut.of(on_error)
    domains_file = _json(Path(folder) / DOMAINS, encoding)
    domains = {intent: name for name, intents in domains_file.items() for intent in intents} | {OOS: OOS}
    for key, pairs in _json(path, encoding).items():
        part = PARTS.get(key.removeprefix("oos_"))
        if part is None or not isinstance(pairs, list):
            raise InputError(f"{path}: expected lists of [text, intent] under train, val and test, found {shown(key)}")
        for number, pair in enumerate(pairs):
            match pair:
                case [str(text), str(intent)] if intent.strip() in domains:
                    labels = {"intent": [intent.strip()], "domain": [domains[intent.strip()]]}
                    yield Document(f"{key}-{number}", text, labels, part)
                case _:
                    problem = f"expected [text, intent] of an intent with a domain, found {shown(pair)}"
                    left_out.add(WrongRecord(path, f"question {number + 1} of {key}", problem, "no text and intent"))


def read_chat_or_task(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """Messages of people who chat, one after the other, then turns of people who want something.

    Args:
        on_error: at a wrong conversation, turn or dialogue; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a file is missing or of another form.
    """
    folder, left_out = Path(folder), LeftOut.of(on_error)
    for name, conversation in _json(folder / CHAT, encoding).items():
        try:
            texts = [message["text"].strip() for group in conversation["messages"] for message in group]
        except (KeyError, TypeError, AttributeError):
            problem = "expected conversations with messages, each with a text"
            left_out.add(WrongRecord(folder / CHAT, f"conversation {shown(name)}", problem, "no conversation"))
            continue
        for number, text in enumerate(texts):
            if text:
                yield Document(f"{name}-{number}", text, {"act": ["chat"]})
    if (folder / TURNS).is_file():
        for number, line in visible_lines(folder / TURNS, encoding, left_out):
            yield Document(f"task-{number}", line, {"act": ["task"]})
    elif (folder / SGD).is_file():
        for turn in read_sgd(folder, on_error=left_out, encoding=encoding):
            yield turn._replace(labels={"act": ["task"]})
    else:
        raise InputError(f"{folder}: expected {TURNS} or {SGD}, found neither")


def _json(path: Path, encoding: str) -> dict[str, Any]:
    try:
        content = json.loads(read_text(path, encoding))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not valid JSON ({in_one_line(error)})") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected a mapping, found {type(content).__name__}")
    return content
