"""data/<source> -> data/corpora/<name>: scenes, their triplets and sentences. `python -m stages.scenes.read NAME`."""

from repline.corpora.scenes.scene_corpus import write_scene_corpus
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.scenes.settings import load


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    folder = CORPORA / name
    card = write_scene_corpus(folder, corpora[name])
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
