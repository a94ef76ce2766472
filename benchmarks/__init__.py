"""Each module times repline beside the peer a user would pick, in one run, and prints ratios. Never a test."""
