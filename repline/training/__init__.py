"""Training: one fit over PyTorch Lightning, batches that depend on seed and epoch only, exact resume."""
