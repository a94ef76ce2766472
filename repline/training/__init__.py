"""Training: one fit over PyTorch Lightning, batches of seed and epoch alone, checkpoints that resume exactly."""

from repline.training.batches import batches
from repline.training.fit import fingerprint, fit

__all__ = ["batches", "fingerprint", "fit"]
