"""Programs to try things on; installed with the package, so that it can show itself."""
