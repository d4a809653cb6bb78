"""Code that says whether to offload a size, with the thresholds of a fit or an accelerator."""
