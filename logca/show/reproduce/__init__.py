"""What `logca reproduce` says of each paper: wang2017 (CGPredict) and kenter2010."""
