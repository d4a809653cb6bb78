"""Lets the tests beside this file import `known_devices`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
