"""Wrong fillers by class, as far as a program can tell; the paper sorted its errors by hand.

Source: Rekaby Salama et al. (2018), section 4.
"""

from collections.abc import Sequence

from repline.corpora.scenes.scene import SceneSentence, Triplet
from repline.systems.context_parser.gap_measures import Prediction


def error_shares(sentences: Sequence[SceneSentence], predicted: Sequence[Prediction | None]) -> dict[str, float | None]:
    """The percentages of wrong fillers of each class; None where no filler is wrong.

    Returns:
        errors: how many fillers are wrong.
        location_for_next_to: the sentence says next to of the right filler and another item, and the wrong filler has
            a Location in common with that item, original in the scene.
        verb_for_noun: a verb fills the place of a noun.
        same_name: an item of the right name, but not the right one.
    """
    wrong = [
        (sentence, prediction)
        for sentence, prediction in zip(sentences, predicted, strict=True)
        if prediction is not None
        and prediction.references[sentence.gaps[0]].lower()
        not in [reference.lower() for reference in sentence.words[sentence.gaps[0]].references]
    ]
    classes = {"location_for_next_to": 0, "verb_for_noun": 0, "same_name": 0}
    for sentence, prediction in wrong:
        gap = sentence.gaps[0]
        word, filler = sentence.words[gap], prediction.references[gap]
        classes["verb_for_noun"] += word.coarse.startswith("NN") and prediction.tag.startswith("VB")
        names = [reference.partition("_")[0] for reference in word.references]
        classes["same_name"] += filler.partition("_")[0] in names
        classes["location_for_next_to"] += _location_for_next_to(sentence, filler)
    return {"errors": float(len(wrong))} | {
        name: 100.0 * count / len(wrong) if wrong else None for name, count in classes.items()
    }


def _location_for_next_to(sentence: SceneSentence, filler: str) -> bool:
    if "next" not in [word.lemma.lower() for word in sentence.words]:
        return False
    other_items = {item for word in sentence.words for item in word.references} - {filler}
    triplets = set(sentence.triplets)
    return any(
        Triplet(filler, "Location", item) in triplets or Triplet(item, "Location", filler) in triplets
        for item in other_items
    )
