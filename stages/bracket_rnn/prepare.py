"""data/<corpus> -> data/corpora/optional_constituents: brackets around optional phrases, and a control."""

from repline.systems.bracket_rnn.corpus import write
from repline.systems.bracket_rnn.settings import load
from stages import run
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    counts = write(DATA / settings.corpus, CORPORA / "optional_constituents", settings.constituents)["counts"]
    pairs, optional, gaps = (counts[f"train_{key}"] for key in ("pairs", "optional", "discontinuous"))
    print(f"train: {optional:,} optional subtrees, {gaps:,} of them discontinuous; {pairs:,} pairs of brackets")


if __name__ == "__main__":
    run(main)
