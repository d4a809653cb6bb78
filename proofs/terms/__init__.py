"""Expressions of claims: where they exist, equations eliminated, limits, evident signs."""
