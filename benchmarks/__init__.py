"""Each module times repline compared with the peer a user would pick, in one run, and prints ratios. Never a test."""
