"""One label a text, in three parts: `python -m stages.labelled.split NAME`.

data/<corpus> -> data/corpora/classification/<name>
"""

from pathlib import Path

from repline.corpora.labelled.split_corpus import write_split
from stages import run
from stages.argument import argument
from stages.labelled import settings


def main() -> None:
    splits = settings.splits()
    name = argument("the name of a split", splits)
    knobs, folder = splits[name], Path("data/corpora/classification") / name
    card = write_split(Path("data") / knobs.pop("corpus"), folder, **knobs)
    counts = (f"{count:,} {what.replace('_', ' ')}" for what, count in card["counts"].items() if count)
    print(f"{folder}: " + ", ".join(counts))


if __name__ == "__main__":
    run(main)
