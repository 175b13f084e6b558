"""Where Maththera finds its data and how it is configured: environment over `configs/`."""

import os
from pathlib import Path


def home() -> Path:
    """The folder that holds `configs/`, `prompts/` and `flows/`: MATHTHERA_HOME, the checkout, or the packaged copy."""
    if configured := os.environ.get("MATHTHERA_HOME"):
        return Path(configured)
    checkout = Path(__file__).parent.parent
    return checkout if (checkout / "configs").is_dir() else Path(__file__).parent / "home"
