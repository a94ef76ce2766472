"""Fit one lexicon into the vectors: `python -m stages.extrofitting.train wordnet_all`.

data/models/extrofitting/start, data/<place of the lexicon> -> data/models/extrofitting/<lexicon>/<vectors>: the
vectors by three methods; the neighbours as rows of the vectors; how many words the lexicon lists. The first of
extrofitting.vectors also as data/vectors/extrofitting-<lexicon>{,-edges,-retrofitting}.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.parameters import arguments, load
from repline.systems.extrofitting.model import extrofit
from repline.systems.extrofitting.settings import Settings
from repline.vectors.retrofitting import retrofit
from repline.vectors.store import save
from stages import run, word_vectors
from stages.extrofitting import start

MODELS = Path("data/models/extrofitting")
DESCRIPTIONS = {
    "extrofitting": "Vectors whitened by the covariance within the synonym classes of a lexicon",
    "edges": "Vectors whitened by the covariance of the differences of neighbours in a lexicon",
    "retrofitting": "Vectors pulled towards the mean of their neighbours in a lexicon",
}


def main() -> None:
    settings = load(Settings, "extrofitting")
    lexicon = the_lexicon(settings, sys.argv[1:])
    with new_folder(MODELS / lexicon) as partial:
        for place, name in enumerate(settings.vectors):
            (partial / name).mkdir()
            fit(settings, lexicon, name, partial / name, public=place == 0)


def fit(settings: Settings, lexicon_name: str, vectors: str, folder: Path, *, public: bool) -> None:
    """Fit one lexicon into one table of vectors by every method; `public`: into data/vectors, too."""
    lexicon, plain = settings.lexicons[lexicon_name], settings.plain_words
    words, matrix = start.read(vectors)
    edges = word_vectors.edges(lexicon.place, words, relations=lexicon.relations, plain=plain)
    columns = [pa.array(edges[:, side]) for side in (0, 1)]
    pq.write_table(pa.table(columns, names=["row", "neighbour"]), folder / "edges.parquet", compression="zstd")
    write_json(folder / "counts.json", {"heads": word_vectors.heads(lexicon.place, words, plain=plain)})
    shared = {"words", "plain_words", "orders", "retrofitting"}
    used = {"lexicon": {"name": lexicon_name} | arguments(lexicon)} | settings.model_dump(include=shared, by_alias=True)
    for method, description in DESCRIPTIONS.items():
        if method == "retrofitting":
            fitted = retrofit(matrix, edges, **arguments(settings.retrofitting))
        else:
            labels = "edges" if method == "edges" else "notebook"
            fitted = extrofit(matrix, edges, labels=labels, seed=settings.orders[0])
        suffix = "" if method == "extrofitting" else f"-{method}"
        name = f"extrofitting-{lexicon_name}{suffix}"
        for target in (folder / method, Path("data/vectors") / name)[: 1 + public]:
            save(
                target,
                words,
                fitted,
                name=name,
                description=description,
                licence="that of the vectors, and of the lexicon",
                sources=[word_vectors.source(settings.vectors[vectors]), word_vectors.source(lexicon.place)],
                parameters={"method": method} | used,
                totals={"edges": len(edges)},
                tools=["scipy"],
            )
        print(f"{vectors}, {name}: {len(words)} words, {len(edges)} edges", flush=True)


def read_edges(folder: Path) -> np.ndarray:
    """The neighbours in one lexicon as rows of the vectors: [E, 2]."""
    table = pq.read_table(folder / "edges.parquet")
    return np.stack([table["row"].to_numpy(), table["neighbour"].to_numpy()], axis=1)


def the_lexicon(settings: Settings, arguments: list[str]) -> str:
    """The name of `extrofitting.lexicons` that the command line has."""
    if len(arguments) != 1 or arguments[0] not in settings.lexicons:
        raise InputError(f"expected the name of a lexicon, one of: {', '.join(settings.lexicons)}")
    return arguments[0]


if __name__ == "__main__":
    run(main)
