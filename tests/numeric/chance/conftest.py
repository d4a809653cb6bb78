"""Lets the tests below this folder import `plain_sampling`, and those of fits `known_devices`."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parent), str(Path(__file__).parent.parent / "fit")]
