"""data/<corpus> -> data/corpora/chinese_hybrid: its Chinese words as numbers, and the vocabulary."""

from repline.systems.chinese_hybrid.corpus import write_data
from repline.systems.chinese_hybrid.settings import load
from stages import run
from stages.folders import CORPORA


def main() -> None:
    folder = CORPORA / "chinese_hybrid"
    counts = write_data(folder, load())["counts"]
    print(
        f"{folder}: {counts['sentences']:,} sentences, {counts['tokens']:,} Chinese words, {counts['types']:,} "
        f"different ones; {counts['words']:,} of them frequent enough"
    )


if __name__ == "__main__":
    run(main)
