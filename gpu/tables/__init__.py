"""What wang2017 prints, and GPUs, as TOML."""
