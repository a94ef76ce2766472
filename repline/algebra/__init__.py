"""The mathematics that the models share: plain functions on tensors, with gradients."""
