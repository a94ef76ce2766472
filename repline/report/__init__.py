"""The report: published and measured numbers side by side, as an HTML page, its data, and the README's gallery."""
