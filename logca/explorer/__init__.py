"""Explorer of accelerators: one HTML page with sliders that runs generated JavaScript."""
