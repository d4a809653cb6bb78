"""Problems of partitioning and their costs: blocks, files, platform, links, costs, instance."""
