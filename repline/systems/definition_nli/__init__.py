"""Inference with definitions: settings, corpus, definition_attention, esim, model, training, evaluation; prediction."""
