"""Synthetic turns of people who book or ask for flights, hotels and tables: templates with slots, for offline use.

They stand in for the user turns of task-oriented dialogues; as templates they are easier to tell from chat than those.
"""

from pathlib import Path

import numpy as np

from repline.errors import InputError
from repline.files import new_file
from repline.parameters import Count

FILE = "task_turns.tsv"
SLOTS = {
    "ask": ("can you", "could you", "please", "i'd like you to", "i need you to", "would you"),
    "want": ("i want", "i need", "i'd like", "i am looking for", "we are looking for", "get me"),
    "city": ("Paris", "Toronto", "Lima", "Oslo", "Cairo", "Delhi", "Osaka", "Boston", "Madrid", "Nairobi", "Quito"),
    "day": ("Monday", "the 3rd of March", "next Friday", "tomorrow", "March 12th", "the 21st", "this weekend", "May 5"),
    "number": ("one", "two", "three", "four", "five"),
    "class": ("economy", "business class", "first class", "premium economy"),
    "price": ("200 dollars", "$850", "1,300", "a thousand dollars", "500 euros", "$2400"),
    "stars": ("2", "3", "4", "5"),
    "time": ("in the morning", "before noon", "at 7 pm", "after 18:30", "at quarter past 9", "in the evening"),
    "airline": ("Delta", "American Airlines", "Lufthansa", "Air Canada", "a cheap airline"),
}
TEMPLATES = (
    "{want} a flight from {city} to {city} on {day}.",
    "{want} {number} tickets to {city}, {class}, leaving {day}",
    "{ask} find a round trip to {city} for {number} people under {price}?",
    "{ask} book it for {number} people?",
    "{ask} look for flights with {airline} on {day} {time}",
    "{want} a hotel in {city} with {stars} stars for {number} nights",
    "{ask} reserve {number} rooms in {city} from {day}?",
    "is there anything in {city} below {price}?",
    "what about {day} {time}?",
    "does the {stars} star hotel have wifi and breakfast?",
    "when does the {airline} flight arrive in {city}?",
    "how much is it in {class}?",
    "yes, that works, {ask} book it.",
    "no, {want} something for {price} at most",
    "my budget is {price} and there are {number} of us",
    "make that {number} tickets, {time}",
    "are there flights back to {city} on {day}?",
    "{want} to leave {city} {time} and return {day}",
    "what is the address of the hotel in {city}?",
    "{want} a table for {number} in {city} on {day} {time}",
)


def write(folder: str | Path, *, seed: int = 0, turns: Count = 4000) -> None:
    """Write `task_turns.tsv`, a turn a line, all different.

    Raises:
        InputError: more turns than the templates can give within many tries.
    """
    rng = np.random.default_rng(seed)
    drawn: dict[str, None] = {}
    for _ in range(50 * turns):
        if len(drawn) == turns:
            break
        drawn[_turn(rng)] = None
    if len(drawn) < turns:
        raise InputError(f"task_turns: the templates gave {len(drawn)} different turns, expected {turns}")
    with new_file(Path(folder) / FILE) as partial:
        partial.write_text("".join(f"{turn}\n" for turn in drawn), encoding="utf-8")


def _turn(rng: np.random.Generator) -> str:
    parts = TEMPLATES[int(rng.integers(len(TEMPLATES)))].split("{")
    text = parts[0]
    for part in parts[1:]:
        slot, _, rest = part.partition("}")
        text += SLOTS[slot][int(rng.integers(len(SLOTS[slot])))] + rest
    return text[0].upper() + text[1:] if rng.random() < 0.5 else text
