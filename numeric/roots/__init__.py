"""All granularities with a given speedup: roots of the model's equations for arrays of parameters.

Files, lowest first: status, general_case, special_cases, one_equation, granularity, logarithmic.
"""
