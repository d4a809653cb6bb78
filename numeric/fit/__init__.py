"""From timings to an accelerator: parameters, break-evens, and limits of the fit."""
