"""One deadline shared by every model call of a turn."""

import time


class Budget:
    """Seconds that all calls of one turn may take together, counted from the moment it is made."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._deadline - time.monotonic())
