"""What the papers published beside what was measured here: one HTML page, its data, and the README's gallery."""
