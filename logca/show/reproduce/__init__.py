"""Output of `logca reproduce` for each paper: wang2017 (CGPredict) and kenter2010."""
