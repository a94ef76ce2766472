"""`on_error: salvage` in the settings of corpora: the card counts what was left out, and names it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from repline.corpora.captions.caption_corpus import write_captions
from repline.corpora.captions.recipes import CaptionCorpus
from repline.corpora.dialogue.conversation_corpus import write_conversations
from repline.corpora.dialogue.recipes import ConversationSource
from repline.corpora.language_modeling.corpus import build
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.corpora.srl.role_corpus import write_roles
from repline.errors import InputError
from repline.lexicons.constraints import write_constraint_set
from repline.lexicons.recipes import Constraints
from repline.reading.settings import Reading
from repline.reading.wrong_records import OnError

SENTENCE = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"


def captions(source: Path, folder: Path, on_error: OnError) -> None:
    (source / "captions.tsv").write_text("a\tA dog .\nb\tA cat .\nc\tA cow .\nd\n", encoding="utf-8")
    (source / "tags.tsv").write_text("a\tdog\nb\tdog\nc\tdog\n", encoding="utf-8")
    for part, name in (("train", "a"), ("dev", "b"), ("test", "c")):
        (source / f"{part}.txt").write_text(f"{name}\n", encoding="utf-8")
    write_captions(source, folder, CaptionCorpus(form="table", features="tags", on_error=on_error))


def conversations(source: Path, folder: Path, on_error: OnError) -> None:
    turns = json.dumps({"turns": ["Wonderful morning", "Certainly wonderful", "Thanks"]})
    (source / "chat.jsonl").write_text("\n".join([turns, '{"turns": 3}', turns, turns]), encoding="utf-8")
    recipe = ConversationSource(source=source.name, form="own", test_share=0.4, on_error=on_error)
    write_conversations(folder, recipe, source.parent)


def constraints(source: Path, folder: Path, on_error: OnError) -> None:
    (source / "pairs.txt").write_text("happy glad\nsad\n", encoding="utf-8")
    write_constraint_set(folder, Constraints(place=source.name, synonyms="pairs.txt", on_error=on_error), source.parent)


def roles(source: Path, folder: Path, on_error: OnError) -> None:
    (source / "train.props").write_text("Dogs -  (A0*)\nbark bark (V*)\n\nHe run (A0*)\n", encoding="utf-8")
    write_roles(source, folder, Reading(on_error=on_error))


def language_model(source: Path, folder: Path, on_error: OnError) -> None:
    (source / "card.json").write_text(json.dumps({"name": "mine", "licence": "CC0-1.0"}), encoding="utf-8")
    for part in ("train", "dev", "test"):
        wrong = SENTENCE.replace("2\tbark", "3\tbark") + "\n" if part == "train" else ""
        (source / f"{part}.conllu").write_text(f"{SENTENCE}\n{wrong}{SENTENCE}\n", encoding="utf-8")
    build(source, folder, StreamCorpus(on_error=on_error))


def plain_text(source: Path, folder: Path, on_error: OnError) -> None:
    (source / "card.json").write_text(json.dumps({"name": "mine", "licence": "CC0-1.0"}), encoding="utf-8")
    for part in ("train", "valid", "test"):
        (source / f"{part}.txt").write_bytes(b"a dog\n" + b"caf\xe9\n" * (part == "valid"))
    build(source, folder, StreamCorpus(on_error=on_error))


@pytest.mark.parametrize("write", [captions, conversations, constraints, roles, language_model, plain_text])
def test_a_wrong_record_is_on_the_card(tmp_path: Path, write: Callable[[Path, Path, OnError], Any]) -> None:
    source, folder = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    with pytest.raises(InputError, match=", line "):
        write(source, folder, "stop")
    assert not folder.exists()
    write(source, folder, "salvage")
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["repline:counts"]["wrong_records"] == 1
    assert [note.partition(":")[0] for note in card["repline:notes"]] == ["salvaged", "left out"]
    assert card["repline:parameters"]["on_error"] == "salvage"
    assert str(tmp_path) not in "".join(card["repline:notes"])
