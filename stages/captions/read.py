"""data/<source> -> data/corpora/<name>: captions with features of pictures. `python -m stages.captions.read NAME`."""

from pathlib import Path

from repline.corpora.captions.caption_corpus import write_captions
from stages import run
from stages.argument import argument
from stages.captions import settings


def main() -> None:
    corpora = settings.corpora()
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
    card = write_captions(Path("data") / knobs.pop("source"), folder, **knobs)
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
