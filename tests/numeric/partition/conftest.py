"""What tests of partitions share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # for `small_problems`
