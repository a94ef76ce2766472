"""A paper's claims and published numbers as data, and the verdicts on them."""
