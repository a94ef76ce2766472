"""Pages for people: the documentation site, and the examples of Markdown pages. Read `site_pages` first."""
