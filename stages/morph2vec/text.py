"""Running text as a corpus of words: `python -m stages.morph2vec.text turkish`.

data/<sources of params.yaml:morph2vec.texts.turkish> -> data/corpora/turkish
"""

import sys

from repline.systems.morph2vec.running_text import write_text
from repline.systems.morph2vec.settings import read
from stages import run
from stages.counter import counter
from stages.morph2vec.inputs import DATA, named


def main() -> None:
    settings = read()
    name = named(sys.argv[1:], settings.texts, "a text")
    text = settings.texts[name]
    sources = [DATA / source for source in dict.fromkeys(text.sources)]
    card = write_text(sources, DATA / "corpora" / name, text.language, counter("sentences", "words"))
    print(f"data/corpora/{name}: {card['counts']['sentences']:,} sentences, {card['counts']['tokens']:,} words")


if __name__ == "__main__":
    run(main)
