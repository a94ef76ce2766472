"""data/<source> -> data/corpora/<name>: captions with features of pictures. `python -m stages.captions.read NAME`."""

from repline.corpora.captions.caption_corpus import write_captions
from stages import run
from stages.argument import argument
from stages.captions.settings import load
from stages.folders import CORPORA, DATA


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    folder = CORPORA / name
    card = write_captions(DATA / corpora[name].source, folder, corpora[name])
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
