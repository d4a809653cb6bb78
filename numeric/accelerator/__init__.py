"""An accelerator: five checked parameters, and everything that follows from them.

Files, lowest first: domain, change, answers, regions, explain, accelerator.
"""
