"""Inference with definitions. Read settings, corpus, definition_attention, esim, model, training, evaluation."""
