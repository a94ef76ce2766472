"""data/<corpus> -> data/corpora/optional_constituents: brackets around optional phrases, and a control."""

from pathlib import Path

from repline.systems.bracket_rnn import corpus as bracketed_corpus
from repline.systems.bracket_rnn import settings
from stages import run


def main() -> None:
    chosen = settings.load()
    knobs = settings.constituents(chosen, bracketed_corpus.write)
    folder = "data/corpora/optional_constituents"
    counts = bracketed_corpus.write(Path("data") / chosen.corpus, folder, **knobs)["counts"]
    pairs, optional, gaps = (counts[f"train_{key}"] for key in ("pairs", "optional", "discontinuous"))
    print(f"train: {optional:,} optional subtrees, {gaps:,} of them discontinuous; {pairs:,} pairs of brackets")


if __name__ == "__main__":
    run(main)
