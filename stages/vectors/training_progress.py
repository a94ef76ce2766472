"""Progress lines of the training of word vectors."""


def print_epoch(done: int, epochs: int) -> None:
    print(f"epoch {done} of {epochs}", flush=True)
