"""The bottleneck of a kernel, and what remedies would gain: blocks, layouts, tiles."""
