"""data/<source> -> data/corpora/<name>: scenes, their triplets and sentences. `python -m stages.scenes.read NAME`."""

from pathlib import Path

from repline.corpora.scenes.scene_corpus import write_scene_corpus
from stages import run
from stages.argument import argument
from stages.scenes import settings


def main() -> None:
    corpora = settings.corpora()
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
    card = write_scene_corpus(Path("data") / knobs.pop("source"), folder, **knobs)
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
