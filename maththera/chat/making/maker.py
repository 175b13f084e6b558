"""What adults want made: worksheets, texts and short plans, and what they want changed of what was made last."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import TypeAdapter

from maththera.chat.coach.learner_facts import KindId, kind_of, kinds_in
from maththera.chat.making.children import Child, child_of
from maththera.chat.making.games import Games
from maththera.chat.making.looked_at import (
    asks_for_mean,
    asks_of_child,
    asks_of_turned,
    mean_of_rates,
    of_child,
    of_numbers,
    times_tables,
)
from maththera.chat.making.notes import CLASS_LETTERS, Note, NoteBook, note_changed, note_wanted, written
from maththera.chat.making.outside import Outside
from maththera.chat.making.plans import Plan, plan_changed, plan_wanted, planned
from maththera.chat.making.worksheet_changes import changed
from maththera.chat.making.worksheet_problems import Focus, Sheet
from maththera.chat.making.worksheet_texts import KIND_TOLD, answers, told
from maththera.chat.making.worksheets import (
    asks_for_examples,
    is_of_sheet,
    missed_wanted,
    new_sheet,
    of_missed,
    theme_of,
)
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.records.record_tool import RecordQuestions
from maththera.json_types import JsonObject
from maththera.korean.particles import with_particle

_SHEET: Final = TypeAdapter(Sheet)
_NOTE: Final = TypeAdapter(Note)
_PLAN: Final = TypeAdapter(Plan)
_LONGEST: Final = 300
_OF_WHAT: Final = re.compile(r"[한두세]\s*자리|구구단|곱셈|나눗셈|덧셈|뺄셈|받아[올내]림|문장제|[2-9]\s*단")
_ALIKE: Final = re.compile(
    r"^\W*(?:그럼\s*|그거랑\s*|이거랑\s*)?(?:비슷한|같은|이런|그런)\s*(?:거|것|걸|문제|유형|종류)\S{0,2}\s*(\d{1,2})\s*(?:개|문제)"
)
"""What wants problems like those that were told."""
_LOWEST: Final = re.compile(r"(?:제일|가장)\s*(?:낮|못|많이\s*틀|힘들|어려|도움)\S*\s*(?:\S{1,4}\s*)?(?:애|아이|학생)")
_FOR_ANOTHER: Final = re.compile(r"것|거(?:도|는|로|\s|$|\W)|꺼|도\s|용|한테|에게|버전|맞[게춰]|위한|위해")
"""What wants the same for the child that is named."""
_FEW_LETTERS: Final = 20
LOST, LOST_BEFORE = "lost", "lost_before"
"""Parts of the board that tell that nothing of the message, and of the one before, was understood."""
BESIDE: Final = "beside"
"""The part with what the records of a child told beside advice."""
_TABLES: Final = "tables"
"""The part that tells that multiplication tables were told."""
_DECLINED: Final = "declined"
"""The part with the subject that was declined, of configs/chat/outside.yaml."""
_GAMES: Final = "games"
"""The part with the games that were told."""
_OFFERED: Final = "offered"
"""The part with the message that asked whether there is something that there is."""
_STALE: Final = 5
"""Turns after which what was made is forgotten."""
_ELSEWHERE: Final = re.compile(
    r"몇\s*(?:문제|번이나|점|%|퍼센트|등|명)|정답률|틀린\s*(?:거|것|문제|건)|틀렸|기록(?!부)|왜\s|왜요|논문|연구|근거|무슨\s*뜻|뭐예요|뭔가요|"
    r"어떻게\s*(?:가르|도와|알|하면|해야|고쳐)|어떡|될까요|되나요|있을까요|괜찮을까"
)
"""Of what no change of something made is wished with."""
_WISH: Final = re.compile(
    r"(?:줄여|줄이|바꿔|바꾸|고쳐|고치|빼|넣|써|쓰|만들|다시|짧게|길게|쉽게|섞)\S*\s*(?:\S{1,3}\s*)?(?:줄\s*수|주실\s*수|수\s*있|주시|주세|줄래|도\s*(?:되|될|돼))"
)
"""Of what a change of something made is wished with, though it is asked for."""
_KINDS: Final[dict[str, KindId]] = {"borrow": "borrow", "zero": "borrow", "carry": "carry", "times": "times"}
"""Subjects of configs/chat/subjects.yaml → the kind of problems that they are about."""
_ONE_MORE: Final = re.compile(
    r"^\W*(?:그럼\s*)?(?:하나|한\s*개|두\s*개|세\s*개|\d+\s*개|몇\s*개)(?:만|를)?\s*(?:만들|내|뽑)"
)
"""What wants problems of what was spoken of and does not name them."""
_ALL: Final = re.compile(
    r"\d\s*반|우리\s*반|반\s*(?:전체|애들|아이들)|(?:세|네|다섯|여러)\s*명|모두|다\s*(?:와|옵|같이)"
)


@dataclass(frozen=True, slots=True)
class Made:
    """`board`: for the next turn; `subject`: what is spoken of then, of configs/chat/subjects.yaml; `question`: of the
    records, which the next turn may go on with."""

    text: str
    board: JsonObject
    subject: str = ""
    question: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Maker:
    book: NoteBook
    outside: Outside
    games: Games
    records: RecordQuestions

    async def answer(  # noqa: C901, PLR0912, PLR0913 - in order; what was spoken of
        self,
        asker: Asker,
        message: str,
        before: JsonObject | None,
        in_hand: str = "",
        spoken_of: str = "",
        child_told: str | None = None,
        asked_before: str | None = None,
    ) -> Made | None:
        """What a message wants made, changed or looked at; None where it wants nothing of the kind. `before`: the board
        of what was made last; `in_hand`: the expression that is spoken of; `spoken_of`: the
        subject of the conversation; `child_told`: of whom the records told last; `asked_before`: the question of
        the turn before; None in the coach, which has games of its own. Raises StoreUnavailable."""
        text = message[:_LONGEST]
        children = await self.records.names(asker)
        names, named = children.names, children.mentioned(text)
        if declined := self._declined(text, before, asker.principal.role):
            return declined
        if tables := times_tables(text, told=_TABLES in (before or {})):
            return Made(tables, {**(grown_old(before) or {}), _TABLES: True, "idle": 0}, "times")
        if looked := of_numbers(text, in_hand) or await self._of_records(text, asker, names, named):
            return Made(looked, grown_old(before) or {}, "reversals" if asks_of_turned(text) else "")
        held = before if before and before.get("what") else None
        wished = _WISH.search(text) or not _ELSEWHERE.search(text)
        if held and wished and (found := await self._changed(asker, text, held, names, named)):
            return found
        about = named[0] if named else asker.student_id
        played = (before or {}).get(_GAMES, [])
        plays = asked_before is not None and not (held and before and not before["idle"])
        if plays and self.games.wanted(text, asked_before or "", played):
            name, said = self.games.told(text, played, await self._child(about or child_told, names))
            return Made(said, {**(grown_old(before) or {}), _GAMES: [*played, name], "idle": 0})
        if (note := note_wanted(self.book, text, asker.principal.role, named=bool(named))) is not None:
            about = None if note.kind in CLASS_LETTERS else about
            if note.kind not in CLASS_LETTERS:
                about = (
                    about
                    or await self._lowest(text, names)
                    or (before or {}).get("spoken_of")
                    or (held or {}).get("about")
                    or child_told
                )
            if about is None and note.kind == "letter":
                asked = self.book.texts["for_whom"]
                return Made(asked, self._board("note", _NOTE.dump_python(note, mode="json"), None))
            if about is None and note.kind not in CLASS_LETTERS:
                return None
            child = await self._child(about, names)
            return Made(
                written(self.book, note, child, text), self._board("note", _NOTE.dump_python(note, mode="json"), about)
            )
        exemplified = about is not None and not held and asks_for_examples(text)
        if not about and not _ALL.search(text):
            about = child_told
        several = (
            tuple(names) if _ALL.search(text) and not named else tuple(named) or ((about,) if about else tuple(names))
        )
        spoken = held["minutes"] if held else 0
        weak = _KINDS.get(spoken_of) or (await self._child(about, names)).focus.kind
        if (plan := plan_wanted(self.book, text, several, spoken, weak)) is not None:
            return await self._plan(plan, names)
        if _DECLINED in (before or {}) and not is_of_sheet(text) and _instead(text):
            text = f"{text} 문제 만들어 줘"
        if _ONE_MORE.match(text):
            offered = _OF_WHAT.findall((before or {}).get(_OFFERED, ""))
            text = f"{' '.join(offered)} {'문장제' if spoken_of == 'words' else '문제'} {text}"
        if missed_wanted(text) and about:
            child = await self._child(about, names)
            if (missed := of_missed([one.problem for one in child.answers if not one.right], text)) is not None:
                return Made(
                    told(missed, first=_missed(child, missed)),
                    self._board("sheet", _SHEET.dump_python(missed, mode="json"), about),
                )
        if about and (alike := _ALIKE.match(text)):
            text = f"비슷한 문제 {alike[1]}개 만들어 줘"
        if is_of_sheet(text) or exemplified:
            child = await self._child(about, names)
            focus = _focus_of(child, text)
            if spoken_of in _KINDS and (about is None or not child.weakest):
                focus = replace(focus, kind=_KINDS[spoken_of], known=True)
            sheet, said = new_sheet(text if is_of_sheet(text) else "문제 3개", focus)
            said = said if is_of_sheet(text) else f"{said}\n{answers(sheet)}"
            why = needed(child, sheet) if child.name and (named or asker.student_id) else ""
            return Made(
                "\n".join(filter(None, [why, said])),
                self._board("sheet", _SHEET.dump_python(sheet, mode="json"), about),
            )
        return None

    async def _lowest(self, text: str, names: dict[str, str]) -> str | None:
        """The child with the smallest share of right answers, where a message means that one."""
        if not _LOWEST.search(text):
            return None
        known = [(one, child) for one in names if (child := await self._child(one, names)).facts and child.known]
        shares = {one: child.facts["right"] / child.facts["answered"] for one, child in known if child.facts}
        return min(shares, key=shares.__getitem__, default=None)

    def _declined(self, text: str, before: JsonObject | None, role: str) -> Made | None:
        """What is said to a wish for something that the problems of the service do not have, and to more of it."""
        board = {**(grown_old(before) or {}), "idle": 0}
        themed = board.get("what") == "sheet" and theme_of(text)
        written = note_wanted(self.book, text, role) is not None
        makes = is_of_sheet(text) or board.get("what") == "sheet"
        if not (written or themed) and (found := self.outside.declined(text, makes=makes)):
            return Made(found[1], {**board, _DECLINED: found[0]})
        if not board.get("what") and (offered := self.outside.offered_here(text)):
            return Made(offered, {**board, _OFFERED: text})
        spoken_of = (before or {}).get(_DECLINED, "")
        return Made(more, board) if (more := self.outside.further(text, spoken_of)) else None

    async def _of_records(self, text: str, asker: Asker, names: dict[str, str], named: Sequence[str]) -> str:
        """What the records tell to a message, "" for nothing."""
        if asks_for_mean(text) and len(names) > 1 and not named:
            return mean_of_rates([await self._child(one, names) for one in names])
        about = named[0] if named else asker.student_id
        if about is None or not asks_of_child(text):
            return ""
        return of_child(text, await self._child(about, names))

    async def _changed(  # noqa: C901 - a branch for each of what is made
        self, asker: Asker, text: str, before: JsonObject, names: dict[str, str], named: Sequence[str]
    ) -> Made | None:
        about = named[0] if named and before["what"] != "sheet" else before["about"]
        if before["what"] == "sheet":
            child = await self._child(named[0] if named else about, names)
            sheet = _SHEET.validate_python(before["made"])
            if named and named[0] != about and _FOR_ANOTHER.search(text):
                return self._sheet_for(child, named[0], sheet)
            if (found := changed(sheet, text, child.focus)) is not None:
                return Made(found[1], self._board("sheet", _SHEET.dump_python(found[0], mode="json"), about))
        elif before["what"] == "note":
            child = await self._child(about, names)
            other = note_wanted(self.book, text, asker.principal.role)
            note = _NOTE.validate_python(before["made"])
            if before["about"] is None and note.kind == "letter":
                if not named:
                    return None
                return Made(written(self.book, note, child, text), self._board("note", before["made"], about))
            if other is not None and other.kind not in (note.kind, "child_line"):
                return None
            if (other_note := note_changed(self.book, note, text, child)) is not None:
                return Made(other_note[1], self._board("note", _NOTE.dump_python(other_note[0], mode="json"), about))
        elif before["what"] == "plan":
            plan = _PLAN.validate_python(before["made"])
            if (wanted := plan_changed(self.book, plan, text, named)) is not None:
                return await self._plan(wanted[0], names, wanted[1])
        return None

    def _sheet_for(self, child: Child, student_id: str, sheet: Sheet) -> Made:
        """A sheet like the one that was made, of what another child needs."""
        count, form = sum(part.count for part in sheet.parts), {"story": "문장제", "gap": "빈칸"}.get(sheet.form, "")
        made, _ = new_sheet(f"{form} {'도전 ' if child.all_right else ''}문제 {count}개", child.focus)
        made = replace(made, answers=sheet.answers, short=sheet.short, theme=sheet.theme, head=sheet.head)
        return Made(told(made, first=needed(child, made)), self._board("sheet", _SHEET.dump_python(made, mode="json"),
                                                                    student_id))  # fmt: skip

    async def _plan(self, plan: Plan, names: dict[str, str], said: str = "") -> Made:
        children = {one: await self._child(one, names) for one in plan.children}
        about = plan.children[0] if len(plan.children) == 1 else None
        board = self._board("plan", _PLAN.dump_python(plan, mode="json"), about)
        subject = plan.lesson if plan.lesson in _KINDS else ""
        return Made(said or planned(self.book, plan, children), {**board, "minutes": plan.minutes}, subject)

    async def _child(self, student_id: str | None, names: dict[str, str]) -> Child:
        return await child_of(self.records, student_id, names)

    def _board(self, what: str, made: JsonObject, about: str | None) -> JsonObject:
        return {"what": what, "made": made, "about": about, "idle": 0, "minutes": 0}


def _focus_of(child: Child, text: str) -> Focus:
    """What a sheet for a child is about; of one that is alike, what it got wrong last, be it ever so little."""
    wrong = [one.problem for one in child.answers if not one.right]
    if child.weakest or not wrong or "비슷한" not in text:
        return child.focus
    return replace(child.focus, kind=kind_of(wrong[-1]), right=False)


def _missed(child: Child, sheet: Sheet) -> str:
    wrong = sum(not one.right for one in child.answers)
    given = {one.problem.expression: one.given for one in child.answers if not one.right}
    before = ", ".join(
        f"{place}) {given[task.expression]}"
        for place, task in enumerate(sheet.sets[0], start=1)
        if given.get(task.expression) is not None
    )
    first = f"{with_particle(child.called, '이가')} 틀린 것은 모두 {wrong}번이고,"
    return f"{first} 그 문제 {len(sheet.sets[0])}개를 다시 풀게 모았어요.\n그때 쓴 답: {before}"


def needed(child: Child, sheet: Sheet) -> str:
    """Why a sheet is of what it is, by the records of the child; "" where it is of something else."""
    if child.facts is None or not child.known:
        return f"{with_particle(child.called, '은는')} 아직 기록이 없어서 흔히 시작하는 것으로 냈어요."
    weak = child.weakest
    if weak and any(part.kind == weak["kind"] for part in sheet.parts):
        wrong, kind = weak["answered"] - weak["right"], KIND_TOLD[weak["kind"]]
        counted = f"{kind} {weak['answered']}문제 가운데 {wrong}번 틀려서"
        return f"{with_particle(child.called, '이가')} {counted} 그것으로 냈어요."
    if child.all_right:
        counted = f"{child.facts['answered']}문제 가운데 {child.facts['right']}문제를 맞혔어요."
        return f"{with_particle(child.called, '은는')} {counted}"
    return ""


def _instead(text: str) -> bool:
    """Whether a message names, in a few words, what it would have in place of what was declined."""
    return len(text) <= _FEW_LETTERS and bool(kinds_in(text)) and not re.search(r"어떻게|왜|몇", text)


def grown_old(board: JsonObject | None) -> JsonObject | None:
    """What was made, a turn later; None when it is to be forgotten."""
    if not board or board.get("idle", 0) + 1 >= _STALE:
        return None
    kept = {part: each for part, each in board.items() if part != LOST}
    return {**kept, LOST_BEFORE: LOST in board, "idle": board.get("idle", 0) + 1}
