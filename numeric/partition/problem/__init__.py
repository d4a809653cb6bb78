"""What is partitioned, and what it costs: blocks, files, platform, links, costs, instance."""
