"""Links between host and accelerator, each with bandwidth and latency, and where these are from."""
