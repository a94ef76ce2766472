"""What a project says about its runs, in its pyproject.toml; a project that says nothing has the defaults."""
