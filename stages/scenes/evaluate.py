"""data/corpora/<name> -> data/evaluation/scenes/<name>.json: how much there is, and how well triplets are extracted.

`python -m stages.scenes.evaluate NAME`, for an entry of params.yaml:scenes.corpora.
"""

import json
from typing import cast

from repline.corpora.scenes.scene import RELATIONS
from repline.corpora.scenes.scene_corpus import STATISTICS, read_scene_corpus
from repline.corpora.scenes.stated_triplets import Shares, extraction_scores
from repline.files import write_json
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, EVALUATION
from stages.scenes.settings import load


def main() -> None:
    name = argument("the name of a corpus", load().corpora)
    folder = CORPORA / name
    complete = [sentence for sentence in read_scene_corpus(folder)[""] if not sentence.gaps]
    scores = extraction_scores(complete)
    statistics = json.loads((folder / STATISTICS).read_text(encoding="utf-8"))
    path = EVALUATION / "scenes" / f"{name}.json"
    write_json(path, {"statistics": statistics, "extraction": scores})
    print(f"{path}: triplets that spaCy and rules find in {len(complete):,} sentences")
    print(f"{'relation':<12}{'found':>8}{'precision':>12}{'recall':>10}")
    for kind in ("all", *RELATIONS):
        kind_scores = cast(Shares, scores if kind == "all" else scores[kind])
        shares = (
            "-" if share is None else f"{share:.3f}" for share in (kind_scores["precision"], kind_scores["recall"])
        )
        print(f"{kind:<12}{kind_scores['found']:>8,}" + "".join(f"{share:>11}" for share in shares))


if __name__ == "__main__":
    run(main)
