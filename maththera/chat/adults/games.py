"""Games that adults ask for by who plays, what there is and how long it takes (`configs/chat/adults/games.yaml`)."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.chat.coach.learner_facts import OPERATION_OF, KindId, kinds_in
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.records.child_record import Child
from maththera.chat.worksheets.sheet_texts import KIND_NAMES
from maththera.config_files import ConfigFile

_MINUTES: Final = re.compile(r"(\d{1,2})\s*분")
_THINGS: Final[Mapping[str, str]] = {"cards": "카드", "dice": "주사위"}
_WITH: Final[Mapping[str, re.Pattern[str]]] = {
    "cards": re.compile("카드로"), "dice": re.compile("주사위로"), "things": re.compile("(?:바둑돌|동전|콩|블록)으?로"),
}  # fmt: skip
_BRIEF: Final = 24
"""Letters of a message that wants another game."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Game(_Strict):
    """See the head of the file."""

    kinds: tuple[KindId | Literal["any"], ...]
    needs: frozenset[Literal["cards", "dice", "things"]]
    people: tuple[int, int]
    minutes: int
    body: bool
    text: str


class GameTexts(_Strict):
    told: str
    for_child: str
    more: str
    none_left: str


class Games(_Strict):
    """The file, checked."""

    asked: re.Pattern[str]
    told_of: re.Pattern[str]
    other: re.Pattern[str]
    written: re.Pattern[str]
    without: re.Pattern[str]
    people: Mapping[int, re.Pattern[str]]
    body: re.Pattern[str]
    games: Mapping[str, Game]
    texts: GameTexts

    @classmethod
    def load(cls, home: Path) -> "Games":
        """ConfigError names every fault."""
        return ConfigFile.read(home / "configs" / "chat" / "adults" / "games.yaml").parse(TypeAdapter(cls))

    def wanted(self, message: str, before: str, told: Collection[str]) -> bool:
        """Whether a message wants a game of some conditions, or another than that of the turn before. `before`: the
        question of that turn; `told`: the games that were told."""
        if self.told_of.search(message) or not self.other.search(message):
            return False
        if not told and self.written.search(message):
            return False
        named = self.asked.search(message) is not None
        return named or (len(message) <= _BRIEF and (bool(told) or self.asked.search(before) is not None))

    def another(self, message: str, told: Collection[str], child: Child) -> tuple[str, str]:
        """A game that was not told yet, with its name; "" for one where there is none."""
        kind = self._kind(message, child)
        fitting = [name for name, game in self.games.items() if name not in told and self._fits(game, message)]
        of_kind = [name for name in fitting if kind in self.games[name].kinds]
        name = next(iter(of_kind or [one for one in fitting if "any" in self.games[one].kinds]), "")
        if not name:
            return "", self.texts.none_left
        weak = child.weakest
        whose = ""
        if weak and weak["kind"] == kind and name in of_kind:
            wrong = weak["answered"] - weak["right"]
            whose = fill_template(self.texts.for_child, called=child.called, kind=KIND_NAMES[kind], wrong=wrong)
        text = fill_template(self.texts.told, for_whom=whose, text=self.games[name].text)
        return name, f"{text}\n{self.texts.more}"

    def _kind(self, message: str, child: Child) -> KindId | Literal["any"]:
        named = [kind for kind in OPERATION_OF if kind in kinds_in(message)]
        if named:
            return "carry" if "carry" in named else "borrow" if "borrow" in named else named[0]
        return child.weakest["kind"] if child.weakest else "any"

    def _fits(self, game: Game, message: str) -> bool:
        """Whether a game keeps the conditions of a message."""
        if self.without.search(message) and (game.needs & self._left_out(message)):
            return False
        if wished := _with(message):
            return bool(game.needs & wished)
        if self.body.search(message) and not game.body:
            return False
        count = next((count for count, words in self.people.items() if words.search(message)), 0)
        if count and not game.people[0] <= count <= game.people[1]:
            return False
        minutes = _MINUTES.search(message)
        return minutes is None or game.minutes <= int(minutes[1])

    def _left_out(self, message: str) -> set[str]:
        """What a message has not got: cards, dice, or all things."""
        named = {need for need, word in _THINGS.items() if word in message}
        return named or {"cards", "dice", "things"}


def _with(message: str) -> set[str]:
    """What a message wants a game to be played with."""
    return {need for need, words in _WITH.items() if words.search(message)}
