"""How vectors are specialised for synonyms and antonyms, as the commands name it."""

from enum import StrEnum


class Specialisation(StrEnum):
    """Methods that take pairs of synonyms and of antonyms."""

    attract_repel = "attract-repel"
    counter_fitting = "counter-fitting"
