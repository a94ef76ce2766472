"""Progress lines of the training of word vectors."""


def print_epoch(epoch: int, epochs: int) -> None:
    print(f"epoch {epoch} of {epochs}", flush=True)
