"""What the papers claim, and whether it is so."""
