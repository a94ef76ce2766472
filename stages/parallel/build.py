"""data/<source> -> data/corpora/<name>: texts and their translations, segmented into words.

`python -m stages.parallel.build NAME`, for an entry of params.yaml:parallel.corpora.
"""

from pathlib import Path

from repline import parameters
from repline.corpora.parallel.bitext import build
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.parallel.settings import AT, Corpus, Settings


def main() -> None:
    model = parameters.signature(build, given=("progress",), base=Corpus)
    corpora = parameters.variants(model, {}, parameters.load(Settings, AT).corpora, AT, "corpora")
    name = argument("the name of a corpus", corpora)
    knobs = corpora[name]
    source, folder = Path("data") / knobs.pop("source"), Path("data/corpora") / name
    card = build(source, folder, progress=counter("pairs", "words"), **knobs)
    counts = card["counts"]
    left_out = ", ".join(f"{counts[why]:,} {why}" for why in ("untranslated", "duplicates") if counts.get(why))
    print(f"{folder}: {counts['pairs']:,} pairs" + (f" (left out: {left_out})" if left_out else ""))


if __name__ == "__main__":
    run(main)
