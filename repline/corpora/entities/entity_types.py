"""What a name names: the labels of the column `entity`, and the few types that they are reduced to.

The labels are those of OntoNotes 5, as spaCy's pipelines give them, and `NAME` for a name of no known type. Dates,
amounts and numbers have labels too, but are no names.

Source: Pivovarova & Yangarber 2018, "Comparison of Representations of Named Entities for Multi-label Document
Classification with Convolutional Neural Networks", section 4: company, location, person, ... and the untyped `name`.
"""

from collections.abc import Sequence

UNTYPED = "NAME"
# a people (NORP) often gives away a place; it is a name without a type here, as are works, products, languages, ...
TYPES = {
    "ORG": "company",
    "PERSON": "person",
    "GPE": "location",
    "LOC": "location",
    "NORP": "name",
    "FAC": "name",
    "PRODUCT": "name",
    "EVENT": "name",
    "WORK_OF_ART": "name",
    "LAW": "name",
    "LANGUAGE": "name",
    UNTYPED: "name",
}
NO_NAMES = ("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL")
LABELS = (*TYPES, *NO_NAMES)


def types_of(tags: Sequence[str]) -> list[str]:
    """IOB2 tags with labels as IOB2 tags with types: B-GPE becomes B-location, B-DATE becomes O.

    An I without its B is kept, which `repline.evaluation.chunking.spans` reads as the beginning of a span.
    """
    types = []
    for tag in tags:
        part, _, label = tag.partition("-")
        types.append(f"{part}-{TYPES[label]}" if label in TYPES else "O")
    return types
