"""From timings to an accelerator: parameters, break-evens, and what the data cannot tell."""
