"""data/<corpus> -> data/corpora/chinese_hybrid: its Chinese words as numbers, and the vocabulary."""

from pathlib import Path

from repline.parameters import arguments
from repline.systems.chinese_hybrid.corpus import write
from repline.systems.chinese_hybrid.settings import read
from stages import run

FOLDER = Path("data/corpora/chinese_hybrid")


def main() -> None:
    settings, _ = read()
    counts = write(Path("data") / settings.corpus, FOLDER, **arguments(settings, of=write))["counts"]
    print(
        f"{FOLDER}: {counts['sentences']:,} sentences, {counts['tokens']:,} Chinese words, {counts['types']:,} "
        f"different ones; {counts['words']:,} of them frequent enough"
    )


if __name__ == "__main__":
    run(main)
