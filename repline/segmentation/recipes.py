"""Names of ways to segment a text, as they stand in params.yaml."""

from typing import Literal

Splitting = Literal["marks", "lines", "whole", "chinese"]  # see `document_sentences`
Sentences = Literal["lines", "full_stops"]  # a line is a sentence, or is cut after 。！？ (or . ! ?)
BLANKS = "blanks"  # what saved models call one sentence whose words stand between blanks, in place of a `Splitting`
