"""What DVC does otherwise than its release while a flow runs: whose locks are dead, how it parses and writes files."""
