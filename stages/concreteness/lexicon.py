"""Rate the whole vocabulary: data/<ratings>, data/vectors -> data/lexicons/concreteness, most frequent words first."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import write_card
from repline.files import new_folder
from repline.parameters import load
from repline.systems.concreteness.regressors import support_vectors
from repline.systems.concreteness.settings import Settings
from stages import run
from stages.concreteness import rated_words, regressor_knobs

BLOCK = 10_000  # words at a time


def main() -> None:
    settings = load(Settings, "concreteness")
    svr, lexicon = regressor_knobs.svr(settings), settings.lexicon
    words, matrix = rated_words.vectors(settings.vectors)
    rated = rated_words.rated(lexicon.ratings, words, matrix).chosen(lexicon.most, 0)
    limit = len(words) if lexicon.words is None else lexicon.words
    words, matrix = words[:limit], matrix[:limit]
    columns: dict[str, np.ndarray] = {}
    for target in ("concreteness", "imageability"):
        if target in rated.ratings:
            there = ~np.isnan(rated.ratings[target])
            model = support_vectors(rated.x.shape[1], **svr).fit(rated.x[there], rated.ratings[target][there])
            blocks = (np.asarray(matrix[start : start + BLOCK], np.float64) for start in range(0, len(words), BLOCK))
            columns[target] = np.concatenate([model.predict(block) for block in blocks])
    with new_folder(rated_words.DATA / "lexicons" / "concreteness") as folder:
        pq.write_table(pa.table({"word": words} | columns), folder / "ratings.parquet", compression="zstd")
        write_card(
            folder,
            name="concreteness",
            description="Predicted ratings of words; they can leave the range of the ratings they are fitted on",
            licence="that of the ratings",
            sources=[{"name": lexicon.ratings}, {"name": settings.vectors}],
            parameters={"lexicon": lexicon.model_dump(), "svr": svr},
            counts={"words": len(words)},
            tools=("pyarrow", "scikit-learn"),
        )
    print(f"{len(words)} words: {', '.join(columns)}")


if __name__ == "__main__":
    run(main)
