"""data/<source> -> data/corpora/<name>: texts of several languages side by side, as tokens.

`python -m stages.parallel.multiway NAME`, for an entry of params.yaml:parallel.multiway.
"""

from pathlib import Path

from repline import parameters
from repline.corpora.parallel.multiway import build
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.parallel.settings import AT, Corpus, Settings


def main() -> None:
    model = parameters.signature(build, given=("progress",), base=Corpus)
    corpora = parameters.variants(model, {}, parameters.load(Settings, AT).multiway, AT, "multiway")
    name = argument("the name of a corpus", corpora)
    knobs = corpora[name]
    source, folder = Path("data") / knobs.pop("source"), Path("data/corpora") / name
    counts = build(source, folder, progress=counter("texts", "tokens"), **knobs)["counts"]
    sides = ", ".join(f"{counts[f'texts_{language}']:,} {language}" for language in knobs["languages"])
    print(f"{folder}: {counts['texts']:,} texts ({sides})")


if __name__ == "__main__":
    run(main)
