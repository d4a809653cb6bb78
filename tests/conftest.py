"""hypothesis draws the same examples in every run: a red test is red again until it is mended.

To let it look further afield: ``pytest --hypothesis-profile=default``.
"""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")
