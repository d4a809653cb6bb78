"""GPUs as data: parameters by file, cache geometry, and which device is fastest."""
