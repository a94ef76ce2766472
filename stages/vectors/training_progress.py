"""What training prints."""


def print_epoch(done: int, epochs: int) -> None:
    print(f"epoch {done} of {epochs}", flush=True)
