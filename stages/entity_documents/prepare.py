"""Documents with names written in every way: `python -m stages.entity_documents.prepare CORPUS`.

data/<documents>, data/<labels> -> data/corpora/entity_documents/<corpus>
"""

from repline.systems.entity_documents.corpus import write_data
from repline.systems.entity_documents.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folder = CORPORA / "entity_documents" / name
    counts = write_data(folder, settings.corpora[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
