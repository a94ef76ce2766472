"""Names of ways to segment a text, as they stand in params.yaml."""

from typing import Literal

Splitting = Literal["marks", "lines", "whole", "chinese"]  # see `document_sentences`
Sentences = Literal["lines", "full_stops"]  # what is a sentence of raw text: each line, or a part of it up to 。！？ or . ! ?
BLANKS = "blanks"  # what saved models call one sentence whose words stand between blanks, in place of a `Splitting`
