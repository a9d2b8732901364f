"""Makes `invented.py`, which builds what is measured on, importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
