"""data/<source> -> data/corpora/<name>: sentences with semantic roles. `python -m stages.semantic_roles.read NAME`."""

from pathlib import Path

from repline.corpora.srl.role_corpus import write_roles
from stages import run
from stages.argument import argument
from stages.semantic_roles import settings


def main() -> None:
    corpora = settings.load()
    name = argument("the name of a corpus", corpora)
    folder = Path("data/corpora") / name
    counts = write_roles(Path("data") / corpora[name].source, folder, corpora[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
