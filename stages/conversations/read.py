"""data/<source> -> data/corpora/conversations/NAME: turns in order. `python -m stages.conversations.read NAME`."""

from pathlib import Path

from repline.corpora.dialogue.conversation_corpus import write_conversations
from repline.systems.conversations.settings import read, sources
from stages import run
from stages.argument import argument
from stages.conversations.places import CORPORA


def main() -> None:
    found = sources(read())
    name = argument("the name of a source", found)
    knobs = dict(found[name])
    card = write_conversations(Path("data") / knobs.pop("source"), CORPORA / name, **knobs)
    counts = (f"{count:,} {what.replace('_', ' ')}" for what, count in card["counts"].items())
    print(f"{CORPORA / name}: " + ", ".join(counts))


if __name__ == "__main__":
    run(main)
