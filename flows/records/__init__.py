"""What is kept of each run of a stage: the log, the time, the memory, found by its entry in dvc.lock."""
