"""data/corpora/<bitext>, tables of characters -> data/corpora/cjc: training pairs, counts of contexts, tests."""

from repline.systems.cjc.corpus import write_data
from repline.systems.cjc.settings import load
from stages import run
from stages.folders import CORPORA


def main() -> None:
    counts = write_data(CORPORA / "cjc", load())["counts"]
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))


if __name__ == "__main__":
    run(main)
