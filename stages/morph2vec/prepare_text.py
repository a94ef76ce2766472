"""Write running text as a corpus of words: `python -m stages.morph2vec.prepare_text turkish`.

data/<sources of params.yaml:morph2vec.texts.turkish> -> data/corpora/turkish
"""

from repline.systems.morph2vec.running_text import write_text
from repline.systems.morph2vec.settings import load
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA, DATA


def main() -> None:
    texts = load().texts
    name = argument("the name of a text", texts)
    sources = [DATA / source for source in dict.fromkeys(texts[name].sources)]
    card = write_text(sources, CORPORA / name, texts[name].language, counter("sentences", "words"))
    print(f"{CORPORA / name}: {card['counts']['sentences']:,} sentences, {card['counts']['tokens']:,} words")


if __name__ == "__main__":
    run(main)
