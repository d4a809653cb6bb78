"""What a sweep is made of: the plan, its blocks, what computes them and where they are written."""
