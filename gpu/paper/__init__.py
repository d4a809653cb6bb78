"""The tables and figures of wang2017: our models against them, and their own arithmetic."""
