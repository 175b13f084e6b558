"""What a child holds of one ability: how surely, and for how long."""

from dataclasses import dataclass
from typing import Final

LONGEST: Final = 400.0
_LONGER: Final = 1.6
_SETTLES: Final = 0.06


@dataclass(slots=True)
class Memory:
    """`strength`: the chance that it comes off on `day`; it falls towards `base` by half in `half_life` days."""

    strength: float
    base: float
    half_life: float
    day: float = 0.0

    def on(self, day: float) -> float:
        """The chance that it comes off on a day, 0 to 1."""
        if day <= self.day:
            return self.strength
        left: float = 0.5 ** ((day - self.day) / self.half_life)
        return self.base + (self.strength - self.base) * left

    def practised(self, day: float, gain: float, *, right: bool) -> None:
        """Strengthens by a share `gain` of what is missing. Success after a night makes it last longer."""
        now = self.on(day)
        rested = day - self.day >= 1
        self.strength, self.day = now + gain * (1 - now), day
        if right:
            self.base += _SETTLES * (self.strength - self.base)
            if rested:
                self.half_life = min(LONGEST, self.half_life * _LONGER)
