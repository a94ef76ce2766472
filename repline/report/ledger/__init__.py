"""The ledger of published numbers: which are measured and how near, what the others need; a chart and a page of it."""
