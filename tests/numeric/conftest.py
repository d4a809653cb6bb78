"""Lets the tests below this folder import `exact_model`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
