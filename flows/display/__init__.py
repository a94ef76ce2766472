"""What a person sees of a run: lines or a live view, the summary, the page, artifacts."""
