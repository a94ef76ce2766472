"""One entry of segmentation.quality: gold words beside a segmenter's: `python -m stages.segmentation.measure NAME`.

data/<gold> -> data/evaluation/segmentation/scores/<name>.json.
"""

from pathlib import Path

from repline import parameters
from repline.corpora.gold_words import read_gold
from repline.errors import InputError
from repline.evaluation.word_segmentation import segmented_again, word_f1
from repline.files import write_json
from repline.segmentation.characters import converter, normalise_widths
from repline.segmentation.languages import segmenter
from stages import run
from stages.argument import argument
from stages.segmentation.settings import AT, Quality, Settings

SCORES = Path("data/evaluation/segmentation/scores")


def main() -> None:
    quality = parameters.load(Settings, AT).quality
    name = argument("the name of a measurement", quality)
    found = measured(quality[name])
    write_json(SCORES / f"{name}.json", found)
    print(f"{name}: F1 {found['f1']:.4f}, precision {found['precision']:.4f}, recall {found['recall']:.4f}")


def measured(chosen: Quality) -> dict:
    """What `word_f1` says, with the gold words' place and the segmenter."""
    try:
        segment = segmenter(chosen.language, **chosen.segmentation)
    except TypeError as error:
        raise InputError(f"segmentation of {chosen.language}: {error}") from None
    convert = converter(chosen.conversion) if chosen.conversion else str

    def normalise(text: str) -> str:
        return convert(normalise_widths(text) if chosen.widths else text)

    gold = list(read_gold(Path("data") / chosen.gold, chosen.sentences))
    scores = word_f1(gold, segmented_again(gold, lambda text: segment(text)["tokens"], normalise))
    return scores | {"gold": chosen.gold, "language": chosen.language}


if __name__ == "__main__":
    run(main)
