"""One file per system. A model takes and returns tensors; it knows no corpus, no stage and no trainer."""
