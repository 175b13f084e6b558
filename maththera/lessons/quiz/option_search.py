"""Answers that name options: "2번이요", "②", "두 번째 거", "ㄴ", "1-나, 2-가", "첫째는 3 둘째는 1", "3번이 맨 처음"."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final, Literal, NamedTuple

from maththera.lessons.courses.tasks import CIRCLED, LETTERS, Answer, Order, Task

Kind = Literal["number", "ordinal", "letter", "back", "either", "clause"]

_CONSONANTS: Final = "ㄱㄴㄷㄹㅁㅂㅅ"
_SINO: Final = "일이삼사오"
_NATIVE: Final = ("첫하한", "둘두", "셋세", "넷네", "다")
_ENDS: Final = r"(?=$|[\s,.()>→\-–:=·/!~…]|[0-9①-⑨]|번|[은는이요고예입야랑하이])"
_PATTERN: Final = re.compile(
    rf"""
    (?P<either>아니면|또는|혹은|든지|(?<=[0-9번])이나|\bor\b)
    |(?P<back>(?:아[,.…\s]*)?(?:잠깐만?요?|잠시만요?|취소(?:할게요?)?|거꾸로|반대(?:로|예요|야|다|요)?|바꿀게요?)
      |(?:은|는|이|가)?\s*(?:아니|아닌|아냐|아님|아닙니다|말고|빼고|틀렸)(?:에요|예요|라|고|야|다|요|지|라고)*
      |바뀌었\w*|바꼈\w*)
    |(?P<ordinal>(?P<th>(?:첫|두|세|네|다섯|[1-5일이삼사오])\s*번째|첫째|둘째|셋째|넷째)
      |(?P<first>(?:제일|가장|맨)?\s*(?:처음|먼저|앞)|우선|일단)|(?P<last>(?:제일|가장|맨)?\s*(?:나중|마지막|끝|뒤))
      |(?P<middle>가운데|중간))
    |(?P<number>[{CIRCLED}]|[1-9]|[{_SINO}](?=\s*번)|하나(?=\s*번))
    |(?P<clause>[,;/]|(?<=[가-힣])고(?=[\s,]|$))
    |(?:그\s*(?:다음|앞|뒤|리고)|다음|순서|차례|정답|답|저는|제가|나는(?=\s*[0-9])|음+|번호|번|보기|선택|갈래|생각|같(?:아|습니다|은데|애)
      |이?(?:에요|예요|요|야|고요|죠|지|네)(?=[\s,.!~…]|$)|이다|입니다|인|임|것|거|께|게|걸로|로|으로|부터|까지|하고|이?랑
      |할게|할래|골랐어|고를게|이유|문장|은|는|이(?!\s*번)|을|를|에|도|와|과|의|[\s.()>→\-–:=·!~…ㅎㅋㅠㅜ^'"“”])
    |(?P<letter>[{_CONSONANTS}]|[a-g](?![a-z])|[{LETTERS}])
    """,
    re.VERBOSE,
)
_SPOKEN: Final = re.compile(rf"[\s,]*((?:[{_SINO}][\s,]*){{2,}}?)(?:이?요|입니다)?[\s.]*")
_LEAD: Final = re.compile(r"^\s*(?:나는|난|저는|전|내\s*답은)\s+(?=\S)")
_EXPLICIT: Final = re.compile(r"([1-9])\s*번(?!째)")


class _Token(NamedTuple):
    kind: Kind
    place: int = -1


def answer_by_names(task: Task, text: str) -> Answer | None:
    """The answer that the names give; None if other words occur, or if the names give no answer."""
    tokens = _tokens(task, text)
    if tokens is None or any(token.kind == "either" for token in tokens):
        return _explicit(task, text)
    return _after_last_change(task, tokens)


def only_names(task: Task, text: str) -> bool:
    """Whether a text consists of names, at least one of which is more than a bare digit."""
    tokens = _tokens(task, text)
    return bool(tokens) and (not text[0].isdigit() or "번" in text or any(one.kind == "letter" for one in tokens or ()))


def name_at(text: str, start: int) -> tuple[Kind, int, int] | None:
    """The name of an option or a gap at a place: its kind, its number and its end."""
    match = _PATTERN.match(text, start)
    if match is None or match.lastgroup is None:
        return None
    token = _token(match, 0)
    return (token.kind, token.place, match.end()) if token.place >= 0 else None


def _tokens(task: Task, text: str) -> list[_Token] | None:
    if isinstance(task, Order) and (spoken := _SPOKEN.fullmatch(text)):
        return [_Token("number", _SINO.index(sign)) for sign in spoken[1] if sign in _SINO]
    text = _LEAD.sub("", text) if not task.letters else text
    tokens, place = [], 0
    while place < len(text):
        match = _PATTERN.match(text, place)
        if match is None:
            return None
        if match.end() == place:
            return None
        place = match.end()
        if match.lastgroup:
            tokens.append(_token(match, len(task.options)))
    return tokens


def _token(match: re.Match[str], gaps: int) -> _Token:
    if match["ordinal"]:
        if match["th"]:
            return _Token("ordinal", _place(match["th"][0]))
        return _Token("ordinal", 0 if match["first"] else gaps - 1 if match["last"] else gaps // 2)
    for kind in ("number", "letter"):
        if match[kind]:
            return _Token("number" if kind == "number" else "letter", _place(match[kind]))
    return _Token("either" if match["either"] else "back" if match["back"] else "clause")


def _place(name: str) -> int:
    for names in (CIRCLED, "123456789", _CONSONANTS, "abcdefg", _SINO, LETTERS):
        if name in names:
            return names.index(name)
    return next((place for place, forms in enumerate(_NATIVE) if name in forms), -1)


def _after_last_change(task: Task, tokens: list[_Token]) -> Answer | None:
    """The text after the last "아니", which takes back what is before it or only the word before it."""
    changes = [at for at, token in enumerate(tokens) if token.kind == "back"]
    if not changes:
        return _answer(task, tokens)
    head, tail = tokens[: changes[-1]], tokens[changes[-1] + 1 :]
    if not any(token.place >= 0 for token in tail):
        return None
    return _answer(task, tail) or _after_last_change(task, [*_without_last(head), *tail])


def _without_last(tokens: list[_Token]) -> list[_Token]:
    """The names without the last option and its gap."""
    kept = [token for token in tokens if token.kind != "clause"]
    if len(kept) > 1 and kept[-1].kind == "letter" and kept[-2].kind != "letter":
        return kept[:-2]
    return kept[:-1]


def _answer(task: Task, tokens: Sequence[_Token]) -> Answer | None:
    names = [token for token in tokens if token.place >= 0]
    counts = [len(texts) for texts in task.options]
    if not task.letters and any(token.kind != "letter" for token in names):
        names = [token for token in names if token.kind != "letter"]
    kinds = {token.kind for token in names}
    if len(kinds) == 1:
        places = [token.place for token in names]
        paired = _paired(places, len(counts)) if task.letters and kinds != {"letter"} else None
        return _fitting(task, paired or tuple(places))
    if isinstance(task, Order):
        return _ranked(task, tokens)
    if len(names) != 2 * len(counts) or any(one.kind == other.kind for one, other in _twos(names)):
        return None
    pairs = [(one, other) if other.kind == "letter" else (other, one) for one, other in _twos(names)]
    if any(gap.kind == "letter" or option.kind != "letter" for gap, option in pairs):
        return None
    filled = {gap.place: option.place for gap, option in pairs}
    return _fitting(task, tuple(filled.get(gap, -1) for gap in range(len(counts))))


def _paired(places: list[int], gaps: int) -> Answer | None:
    """ "1-1, 2-2"."""
    filled = dict(zip(places[::2], places[1::2], strict=False))
    if gaps < 2 or len(places) != 2 * gaps or filled.keys() != set(range(gaps)):
        return None
    return tuple(filled[gap] for gap in range(gaps))


def _twos(names: Sequence[_Token]) -> list[tuple[_Token, _Token]]:
    return list(zip(names[::2], names[1::2], strict=False))


def _ranked(task: Order, tokens: Sequence[_Token]) -> Answer | None:
    """Steps with their ranks; steps without one take the remaining ranks in order."""
    ranks: dict[int, int] = {}
    rest: list[int] = []
    for clause in _clauses(tokens):
        rank_first, pending = clause[0].kind == "ordinal", None
        for token in clause if rank_first else clause[::-1]:
            if token.kind == "ordinal":
                if pending is not None:
                    return None
                pending = token.place
            elif pending is None:
                rest.append(token.place)
            elif ranks.setdefault(pending, token.place) != token.place:
                return None
            else:
                pending = None
        if pending is not None:
            return None
    left = [rank for rank in range(len(task.steps)) if rank not in ranks]
    if len(left) != len(rest):
        return None
    ranks |= dict(zip(left, rest, strict=True))
    return _fitting(task, tuple(ranks[rank] for rank in sorted(ranks)))


def _clauses(tokens: Sequence[_Token]) -> list[list[_Token]]:
    runs = groupby(tokens, key=lambda token: token.kind == "clause")
    return [[*own] for between, own in runs if not between]


def _explicit(task: Task, text: str) -> Answer | None:
    """An order that names each step as "3번", among other words that take nothing back."""
    if not isinstance(task, Order) or re.search(
        r"아니|말고|전에|앞에|뒤에|거꾸로|반대|않|처음|마지막|끝|나중|먼저", text
    ):
        return None
    return _fitting(task, tuple(int(number) - 1 for number in _EXPLICIT.findall(text)))


def _fitting(task: Task, answer: Answer) -> Answer | None:
    """The answer, if it gives every gap an existing option and repeats no step of an order."""
    counts = [len(texts) for texts in task.options]
    if len(answer) != len(counts) or not all(0 <= at < count for at, count in zip(answer, counts, strict=True)):
        return None
    return None if isinstance(task, Order) and len(set(answer)) < len(answer) else answer
