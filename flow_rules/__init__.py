"""What this project tells the flow that runs it: pyproject.toml names the functions, `flows.project.hooks` asks them.

parameters    every parameter is read by something
reference     seconds of stages before they ran here, and a run against the committed results
claims        the line of the summary on the claims, and where to look first
artifacts     published versus measured, and the claims, as tables in Prefect
upstream      which sources are newer where they come from
"""
