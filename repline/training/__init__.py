"""Training: one fit over PyTorch Lightning, batches of seed and epoch alone, checkpoints that resume exactly."""
