"""What has to run, how long it will take, and when there is room for it."""
