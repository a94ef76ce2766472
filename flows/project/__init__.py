"""What a project says about its runs, in its pyproject.toml, else the defaults; and why its files cannot be read."""
