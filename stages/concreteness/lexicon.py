"""Rate the whole vocabulary: data/<ratings>, data/vectors -> data/lexicons/concreteness, most frequent words first."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline import parameters
from repline.cards import write_card
from repline.files import new_folder
from repline.models.rating_regression import support_vectors
from stages import run
from stages.concreteness import inputs

BLOCK = 10_000  # words at a time


def main() -> None:
    settings = inputs.read()
    lexicon = parameters.section(parameters.read(), "concreteness.lexicon")
    words, matrix = inputs.vectors(settings.vectors)
    limit = len(words) if lexicon["words"] is None else lexicon["words"]
    words, matrix = words[:limit], matrix[:limit]
    every = {name: inputs.rated(place, *inputs.vectors(settings.vectors)) for name, place in settings.ratings.items()}
    columns: dict[str, np.ndarray] = {}
    fitted_on: dict[str, str] = {}
    for target in ("concreteness", "imageability"):
        names = [name for name, rated in every.items() if target in rated.ratings]
        if not names:
            continue
        name = settings.across.source if settings.across.source in names else names[0]
        rated = every[name].chosen(lexicon["most"], 0)
        there = ~np.isnan(rated.ratings[target])
        model = support_vectors(rated.x.shape[1], **settings.svr).fit(rated.x[there], rated.ratings[target][there])
        blocks = (np.asarray(matrix[start : start + BLOCK], np.float64) for start in range(0, len(words), BLOCK))
        columns[target] = np.concatenate([model.predict(block) for block in blocks])
        fitted_on[target] = name
    with new_folder(inputs.DATA / "lexicons" / "concreteness") as folder:
        pq.write_table(pa.table({"word": words} | columns), folder / "ratings.parquet", compression="zstd")
        write_card(
            folder,
            name="concreteness",
            description="Predicted ratings of words; they can leave the range of the ratings they are fitted on",
            licence="that of the ratings",
            sources=[{"name": settings.ratings[name]} for name in dict.fromkeys(fitted_on.values())]
            + [{"name": settings.vectors}],
            parameters={"lexicon": lexicon, "svr": settings.svr, "fitted_on": fitted_on},
            counts={"words": len(words)},
            tools=("pyarrow", "scikit-learn"),
        )
    print(f"{len(words)} words: {', '.join(f'{target} from {name}' for target, name in fitted_on.items())}")


if __name__ == "__main__":
    run(main)
