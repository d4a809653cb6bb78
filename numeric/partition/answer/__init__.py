"""What users ask for and are told: case, partition, where its time goes, what would help."""
