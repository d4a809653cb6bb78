"""Output of each verb: its words, tables and plain data for JSON; one file or folder a verb.

Folders, lowest first: fit, gpu, offload, partition, reproduce.
"""
