"""Number the words of ordered text: `python -m stages.rnn_cnn.prepare NAME` -> data/corpora/rnn_cnn/NAME."""

from repline.systems.rnn_cnn.corpus import write_corpus
from repline.systems.rnn_cnn.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folder = CORPORA / "rnn_cnn" / name
    counts = write_corpus(folder, settings.corpora[name].text)["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
