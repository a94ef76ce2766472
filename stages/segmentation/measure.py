"""Compare one segmenter with gold words: `python -m stages.segmentation.measure NAME`.

data/<gold> -> data/evaluation/segmentation/scores/<name>.json.
"""

from repline.corpora.gold_words import read_gold
from repline.evaluation.word_segmentation import segmenter_scores
from repline.files import write_json
from stages import run
from stages.argument import argument
from stages.folders import DATA, EVALUATION
from stages.segmentation.settings import load


def main() -> None:
    measurements = load().quality
    name = argument("the name of a measurement", measurements)
    quality = measurements[name]
    gold = list(read_gold(DATA / quality.gold, quality.sentences))
    scores = segmenter_scores(gold, quality) | {"gold": quality.gold, "language": quality.language}
    write_json(EVALUATION / "segmentation" / "scores" / f"{name}.json", scores)
    print(f"{name}: F1 {scores['f1']:.4f}, precision {scores['precision']:.4f}, recall {scores['recall']:.4f}")


if __name__ == "__main__":
    run(main)
