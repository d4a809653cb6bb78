"""Source code that says whether to offload a size, with thresholds that were fitted."""
