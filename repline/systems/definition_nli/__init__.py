"""Inference with definitions: corpus, definition_attention, esim, model, training, evaluation; settings; prediction."""
