"""Where a run happens: the checkout, or a workspace with the parameters of a profile and overrides."""
