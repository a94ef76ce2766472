"""data/<source> -> data/corpora/conversations/NAME: turns in order. `python -m stages.conversations.prepare NAME`."""

from repline.corpora.dialogue.conversation_corpus import write_conversations
from repline.systems.conversations.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    settings = load()
    name = argument("the name of a source", settings.sources)
    folder = CORPORA / "conversations" / name
    counts = write_conversations(folder, settings.sources[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
