"""Parts of a sweep: the plan, its blocks, what computes them and where they are written."""
