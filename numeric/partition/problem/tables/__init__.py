"""Platforms that come with the package."""
