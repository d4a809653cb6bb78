"""Questions of users and their answers: case, partition, its time by parts, remedies."""
