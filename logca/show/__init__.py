"""What each verb says: its words, tables and plain data for JSON; one file per verb.

Folders, lowest first: gpu, partition, reproduce.
"""
