"""Progress lines of the training of word vectors."""


def print_epoch(epoch: int, epochs: int) -> None:
    """Print a line at the end of an epoch."""
    print(f"epoch {epoch} of {epochs}", flush=True)
