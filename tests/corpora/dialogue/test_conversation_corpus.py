"""Conversations: what the readers take, which turns are kept, and that no conversation is in two splits."""

import json

import pytest

from repline.corpora.dialogue.conversation_corpus import message_rows, read_conversations, write_conversations
from repline.corpora.dialogue.recipes import ConversationSource, TurnFilter
from repline.corpora.dialogue.turn_filter import keeps
from repline.corpora.dialogue.turns import Turn, read_chitchat, read_own
from repline.errors import InputError


@pytest.mark.parametrize(
    ("text", "author", "kept"),
    [
        ("a" * 350, "", False),
        ("a" * 349, "", True),
        ("abcdefg123", "", False),  # 70 % letters
        ("abcdefgh12", "", True),
        ("a b c d e f g", "", False),  # blanks are no letters
        ("मैं हिन्दी बोलती हूँ", "", True),  # vowel signs are a part of their letters
        ("สวัสดีครับ", "", True),
        ("السَّلَامُ عَلَيْكُمْ", "", True),
        ("ab❤️❤️", "", False),  # a mark of an emoji is not
        ("https://x", "", False),
        ("see https", "", True),
        ("/t/abcdef", "", False),
        ("@somebody", "", False),
        ("hello", "AutoBot", False),
        ("hello", "robert", True),
        ("", "", False),
    ],
)
def test_which_turns_are_kept(text, author, kept):
    assert keeps(TurnFilter(), Turn(text, author)) == kept


def test_chitchat_joins_the_messages_of_a_sender(tmp_path):
    def message(text, sender):
        return {"text": text, "sender": sender, "timestamp": ""}

    messages = [[message("Hello", "x"), message(" how are  you? ", "x")], [message("  ", "y")], [message("Fine", "y")]]
    (tmp_path / "dataset.json").write_text(json.dumps({"one": {"messages": messages}}), encoding="utf-8")
    (conversation,) = read_chitchat(tmp_path)
    assert conversation.id == "one" and conversation.turns == [Turn("Hello how are you?", "x"), Turn("Fine", "y")]


def test_own_conversations_of_both_kinds(tmp_path):
    (tmp_path / "a.txt").write_text("hi\nhello\n\n\nbye\nsee you\n", encoding="utf-8")
    lines = [{"turns": ["one", "two"]}, {"turns": [{"text": "three", "author": "ann"}]}]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    conversations = [
        (conversation.id, [tuple(turn) for turn in conversation.turns]) for conversation in read_own(tmp_path)
    ]
    assert [turns for _, turns in conversations] == [
        [("hi", ""), ("hello", "")],
        [("bye", ""), ("see you", "")],
        [("one", ""), ("two", "")],
        [("three", "ann")],
    ]
    assert len({name for name, _ in conversations}) == 4


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("a.jsonl", '{"turns": ["hi", " "]}', "a.jsonl, line 2: turn 2 is empty"),
        ("a.jsonl", '{"turns": [1]}', "a.jsonl, line 2: expected"),
        ("a.jsonl", '{"turns": "Hello"}', "a.jsonl, line 2: expected"),
        ("a.jsonl", '{"text": "Hello"}', "a.jsonl, line 2: expected"),
        ("a.jsonl", "[", "a.jsonl, line 2: expected"),
        ("a.csv", "hi", r"expected conversations in \*.jsonl or \*.txt"),
    ],
)
def test_a_broken_line_is_named(tmp_path, name, line, message):
    (tmp_path / name).write_text('{"turns": ["hi"]}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        list(read_own(tmp_path))


def test_a_broken_chitchat_is_one_sentence(tmp_path):
    for text, message in (
        ("{", "not valid JSON"),
        ('{"a": {"messages": [[{}]]}}', "expected conversations with messages"),
    ):
        (tmp_path / "dataset.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            list(read_chitchat(tmp_path))


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "data/own"
    folder.mkdir(parents=True)
    turns = "Hello there!\nIt's only you.\nhttps://x\nnice talk\nsee you\n"
    (folder / "chat.txt").write_text("\n".join([turns] * 20), encoding="utf-8")


def write(tmp_path, **knobs):
    conversations = ConversationSource(source="own", form="own", **knobs)
    return write_conversations(tmp_path / "c", conversations, tmp_path / "data")


def test_pairs_are_neighbours_that_are_kept(source, tmp_path):
    card = write(tmp_path, test_share=0.25)
    pairs = {"train_pairs": 28, "dev_pairs": 2, "test_pairs": 10}
    assert card["counts"] == {"conversations": 20, "turns": 100, "kept": 80} | pairs
    table = read_conversations(tmp_path / "c")
    rows = message_rows(table)
    assert {(" ".join(table["tokens"][row].as_py())) for row in rows.tolist()} == {"hello there !", "nice talk"}
    assert table["tokens"][1].as_py() == ["it", "'s", "only", "you", "."]
    splits = {}
    for name, split in zip(table["doc_id"].to_pylist(), table["split"].to_pylist(), strict=True):
        splits.setdefault(name, set()).add(split)
    assert sorted(map(sorted, splits.values())) == [["dev"]] + [["test"]] * 5 + [["train"]] * 14


def test_the_seed_draws_conversations(source, tmp_path):
    drawn = []
    for seed in (0, 0, 1):
        write(tmp_path, test_share=0.5, conversations=6, seed=seed)
        drawn.append(read_conversations(tmp_path / "c")["doc_id"].unique().to_pylist())
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0]) == 6


def test_nothing_is_written_where_a_split_has_no_pair(source, tmp_path):
    with pytest.raises(InputError, match="expected a pair of message and reply in test, found none"):
        write(tmp_path, test_share=0.01)
    said = r"in train, found none in 6 conversations; longest, .* drop 30 of their 30 turns; .*change these settings$"
    with pytest.raises(InputError, match=said):
        write(tmp_path, letters=0.999, conversations=6, test_share=0.25)
    assert not (tmp_path / "c").exists()
    with pytest.raises(InputError, match=r"found no part-\*.parquet"):
        read_conversations(tmp_path / "c")
