"""data/<source> -> data/corpora/<name>: lemmas with names written anew. `python -m stages.entities.rewrite NAME`."""

from pathlib import Path

from repline.corpora.entities.name_rewriting import write_rewritten
from stages import run
from stages.argument import argument
from stages.entities import settings


def main() -> None:
    corpora = settings.rewritten(settings.load())
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
    counts = write_rewritten(Path("data") / knobs.pop("source"), folder, **knobs)["counts"]
    print(f"{folder}: {counts['tokens']:,} tokens in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
