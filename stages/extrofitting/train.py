"""Fit one lexicon into the vectors: `python -m stages.extrofitting.train wordnet_all`.

data/<extrofitting.vectors>, data/<place of the lexicon> -> data/vectors/extrofitting-<lexicon>{,-edges,-retrofitting},
and data/models/extrofitting/<lexicon>: the neighbours as rows of the vectors, how many words the lexicon lists.
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
from repline.vectors.normalisation import unit_length
from repline.vectors.retrofitting import retrofit
from repline.vectors.store import save
from stages import run, word_vectors

NEIGHBOURS = Path("data/models/extrofitting")
SMOOTHING = 1e-5  # of the length, as the programs of retrofitting and extrofitting divide
DESCRIPTIONS = {
    "extrofitting": "Vectors whitened by the covariance within the synonym classes of a lexicon",
    "edges": "Vectors whitened by the covariance of the differences of neighbours in a lexicon",
    "retrofitting": "Vectors pulled towards the mean of their neighbours in a lexicon",
}


def main() -> None:
    settings = load(Settings, "extrofitting")
    name = the_lexicon(settings, sys.argv[1:])
    lexicon, plain = settings.lexicons[name], settings.plain_words
    words, matrix = start(settings)
    edges = word_vectors.edges(lexicon.place, words, relations=lexicon.relations, plain=plain)
    with new_folder(NEIGHBOURS / name) as partial:
        columns = [pa.array(edges[:, side]) for side in (0, 1)]
        pq.write_table(pa.table(columns, names=["row", "neighbour"]), partial / "edges.parquet", compression="zstd")
        write_json(partial / "counts.json", {"heads": word_vectors.heads(lexicon.place, words, plain=plain)})
    shared = {"words", "plain_words", "orders", "retrofitting"}
    used = {"lexicon": {"name": name} | arguments(lexicon)} | settings.model_dump(include=shared, by_alias=True)
    for method, description in DESCRIPTIONS.items():
        if method == "retrofitting":
            fitted = retrofit(matrix, edges, **arguments(settings.retrofitting))
        else:
            labels = "edges" if method == "edges" else "notebook"
            fitted = extrofit(matrix, edges, labels=labels, seed=settings.orders[0])
        save(
            folder(name, method),
            words,
            fitted,
            description=description,
            licence="that of the vectors, and of the lexicon",
            sources=[word_vectors.source(settings.vectors), word_vectors.source(lexicon.place)],
            parameters={"method": method} | used,
            totals={"edges": len(edges)},
            tools=["scipy"],
        )
        print(f"{folder(name, method)}: {len(words)} words, {len(edges)} edges", flush=True)


def start(settings: Settings) -> tuple[list[str], np.ndarray]:
    """The words, and the vectors at length one."""
    words, matrix = word_vectors.vectors(settings.vectors, settings.words)
    return words, unit_length(matrix, SMOOTHING)


def read_edges(name: str) -> np.ndarray:
    """The neighbours in one lexicon as rows of the vectors: [E, 2]."""
    table = pq.read_table(NEIGHBOURS / name / "edges.parquet")
    return np.stack([table["row"].to_numpy(), table["neighbour"].to_numpy()], axis=1)


def folder(lexicon: str, method: str) -> Path:
    """Where the vectors of one lexicon and method lie."""
    return Path("data/vectors") / ("-".join(["extrofitting", lexicon, method][: 2 if method == "extrofitting" else 3]))


def the_lexicon(settings: Settings, arguments: list[str]) -> str:
    """The name of `extrofitting.lexicons` that the command line has."""
    if len(arguments) != 1 or arguments[0] not in settings.lexicons:
        raise InputError(f"expected the name of a lexicon, one of: {', '.join(settings.lexicons)}")
    return arguments[0]


if __name__ == "__main__":
    run(main)
