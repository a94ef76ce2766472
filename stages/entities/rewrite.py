"""data/<source> -> data/corpora/<name>: lemmas with names rewritten. `python -m stages.entities.rewrite NAME`."""

from repline.corpora.entities.name_rewriting import write_rewritten
from stages import run
from stages.argument import argument
from stages.entities.settings import load
from stages.folders import CORPORA, DATA


def main() -> None:
    corpora = load().rewritten
    name = argument("the name of a corpus", corpora)
    folder = CORPORA / name
    counts = write_rewritten(DATA / corpora[name].source, folder, corpora[name])["counts"]
    print(f"{folder}: {counts['tokens']:,} tokens in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
