import pytest

from repline.corpora.scenes.scene import Triplet
from repline.corpora.scenes.stated_triplets import stated_in


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "The woman cleans the blue vitrine.",
            {("woman", "Agent", "clean"), ("vitrine", "Theme", "clean"), ("vitrine", "Property", "blue")},
        ),
        (
            "The vitrine is cleaned by the woman.",
            {("woman", "Agent", "clean"), ("vitrine", "Theme", "clean")},
        ),
        ("There is a mug on the table.", {("mug", "Location", "table")}),
        (
            "A mug and a candle are on the table.",
            {("mug", "Location", "table"), ("candle", "Location", "table")},
        ),
        ("The mug that lies on the shelf is green.", {("mug", "Location", "shelf"), ("mug", "Property", "green")}),
        ("A man sits beside the dog.", {("man", "Agent", "sit"), ("man", "NextTo", "dog")}),
        ("The lid of the box is open.", {("box", "Own", "lid"), ("lid", "Property", "open")}),
        ("Two dogs chase a ball.", {("dog", "Agent", "chase"), ("ball", "Theme", "chase")}),
        ("bring me the mug on the table", {("mug", "Location", "table")}),
    ],
)
def test_what_a_sentence_states(text, stated):
    assert set(stated_in([text])[0]) == {Triplet(*triplet) for triplet in stated}
