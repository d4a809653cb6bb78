"""Requests in flight: how many are served side by side, fitted to times."""
