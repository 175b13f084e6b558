"""What is said where nothing of a message is understood: a feeling is met first, then one honest sentence and what is
most useful of the child that is spoken of, or what can be changed of what was made last."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from maththera.chat.adults.adult_board import AdultBoard, Made
from maththera.chat.adults.message_kinds import MessageKind
from maththera.chat.coach.learner_facts import kinds_in, strong_kinds
from maththera.chat.letters.letter_book import LetterBook
from maththera.chat.letters.letters import Letter
from maththera.chat.plans.plan_book import PlanBook
from maththera.chat.plans.plans import Plan
from maththera.chat.records.child_record import Child
from maththera.chat.records.problem_kinds import ProblemKinds
from maththera.chat.worksheets.sheet_problems import Sheet
from maththera.korean.particles import with_particle

_FEELINGS: Final = (
    (
        re.compile(r"걱정|불안|무서|겁[이나먹]|두려|큰일|까\s*봐|될까\s*싶|낙인"),
        "걱정되시죠. 그런 마음이 드시는 것이 당연해요.",
    ),
    (re.compile(r"속상|눈물|울었|울어|울컥|ㅠ|ㅜ|실망|서운|서럽|슬퍼|안쓰|짠하|다\s*알아요"), "많이 속상하셨겠어요."),
    (
        re.compile(r"지쳐|지친|지치|힘들|답답|또\s*(?:그래|그러|틀)|소용|도로|맨날|짜증|화가|화나|한숨|못\s*해\s*먹"),
        "답답하셨겠어요. 익숙한 방법을 바꾸는 데는 시간이 걸려요.",
    ),
    (re.compile(r"제\s*탓|내\s*탓|미안|죄책|제가\s*(?:못|잘못)|말해\s*버"), "그럴 때가 있어요. 자책하지 "
                                                            "않으셔도 돼요."),
    (re.compile(r"기특|대견|뿌듯|신나|다행|기뻐|좋아하네|예뻐|감동|자랑"), "정말 대견하시겠어요. 그 마음을 "
                                                     "아이에게 그대로 말해 주세요."),
    (re.compile(r"ㅋㅋ|ㅎㅎ"), "하하, 그러셨군요."),
)  # fmt: skip
_TOLD: Final = 0.03
"""The model's share from which an answer is told. A guess, from reading the lines of two strangers; not measured."""
TOLD_NAMED: Final = 0.05
"""The same beside a child's name, of whom something can be told instead."""
_ELSE: Final = "다른 것이 궁금하셨다면 조금만 더 적어 주세요."
_HONEST: Final = "말씀하신 것에 꼭 맞는 답은 제가 가지고 있지 않아요."
_LISTENS: Final = "무슨 일이 있었는지 조금 더 적어 주시면 함께 생각해 볼게요."
_ASKS: Final = re.compile(r"[?？]|까요|나요|가요|는지|을지|어떻|어떡|뭐|뭘|무슨|왜|어디|언제|얼마|주세요|줘|방법|싶")
"""Of a message that asks for something."""
_WISHES: Final = re.compile(
    r"줘|주세요|주실|줄래|부탁|바꿔|바꾸|바꿀|빼|넣|추가|말고|고쳐|다듬|수정|(?:으로|로|게|만|도)\s*(?:요|좀|부탁)?\W*$|해\s*줘|하게\s"
)
_SHEET: Final = (
    "방금 만든 학습지는 문제 수, 더 쉽게·어렵게, (두 자리)+(한 자리)처럼 자리 수, 받아올림·받아내림이 있고 "
    "없게, 몇 번만 다르게, "
    "문장제의 배경, 짧게, 답 붙이기로 바꿀 수 있어요. 어떻게 바꿀까요?"
)
_LATELY: Final = 2
"""Turns up to which a wish is taken for one of what was made."""
_CLASS: Final = "어느 아이 이야기인지 이름을 말씀해 주시면 그 아이의 기록으로 답해 드릴게요."


def feeling(message: str) -> str:
    """What is said first to a message with a feeling; "" for one without."""
    return next((said for words, said in _FEELINGS if words.search(message)), "")


def met(message: str) -> str:
    """What is said to a message that tells a feeling and asks nothing; "" for another."""
    first = feeling(message)
    return f"{first} {_LISTENS}" if first and not _ASKS.search(message) else ""


_OF_KIND: Final[Mapping[MessageKind, str]] = {
    "sum": "그 계산은 제가 읽지 못했어요. '47+38', '60문제 중에 45개면 몇 퍼센트?', '하루 8문제씩 5일이면?'처럼 숫자로 "
    "적어 주시면 풀어 드릴게요.",
    "service": "그것은 제가 아는 것이 없어요. 화면을 쓰는 법이나 누가 기록을 보는지는 알려 드릴 수 있고, 그 밖의 것은 "
    "담임 선생님이나 서비스를 운영하는 분께 물어봐 주세요.",
    "make": "만들어 드릴 수 있는 것은 학습지, 보호자나 선생님께 보낼 글, 주간 계획이에요. 무엇을 누구에게 "
    "맞추어 만들지 말씀해 주세요.",
}
_HEARD: Final = "네, 그러셨군요. 아이 이야기나 궁금한 것이 있으면 언제든 말씀해 주세요."


def said_to_kind(kind: MessageKind, message: str) -> str:
    """What is said to a message of which nothing is known but its kind; "" where what was spoken of may still help."""
    if kind == "talk":
        return feeling(message) or _HEARD
    return _OF_KIND.get(kind, "")


def said_again(message: str) -> str:
    """The same in short, where it was said in the turn before."""
    first = feeling(message)
    return (
        f"{first} 그것도 제가 가진 자료에는 없어요. 무엇이 가장 궁금하신지 한 문장으로 말씀해 주시면 다시 찾아볼게요."
    ).strip()


ChangesTold: TypeAlias = Mapping[type[Made], str]
"""What was made → what can be changed of it."""


def changes_told(letters: LetterBook, plans: PlanBook) -> ChangesTold:
    """The texts of all that is made."""
    return {Sheet: _SHEET, Letter: letters.texts["can"], Plan: plans.can}


def can_be_changed(changes: ChangesTold, message: str, board: AdultBoard | None) -> str:
    """What can be changed of what was made last, for a message that seems to wish a change; "" for another."""
    if board is None or board.made is None or board.idle > _LATELY or not _WISHES.search(message):
        return ""
    return changes[type(board.made)]


def said_of(kinds: ProblemKinds, message: str, child: Child | None) -> str:
    """The honest sentence, with the two most useful things of the child that is spoken of."""
    first = " ".join(filter(None, [feeling(message), _HONEST]))
    if child is None or not child.name:
        return f"{first} {_CLASS}"
    named = with_particle(child.called, "이가")
    if not child.known or child.facts is None:
        return (f"{first} {with_particle(child.called, '은는')} 아직 기록이 없어요. 자기 이름으로 여덟 문제쯤 풀면 "
                f"무엇이 잘되고 무엇이 어려운지 말씀드릴 수 있어요.")  # fmt: skip
    weak = child.weakest
    good = next((one for one in strong_kinds(child.facts) if one is not weak), None)
    lines = [f"{first} 대신 {child.called}에 대해 지금 도움이 될 것은 이래요."]
    if good:
        name = kinds[good["kind"]].name
        lines.append(
            f"- {named} 잘하는 것: {name}({good['answered']}문제 가운데 {good['right']}문제). 이것부터 알아주세요."
        )
    if weak:
        kind = kinds[weak["kind"]]
        wrong = weak["answered"] - weak["right"]
        lines.append(
            f"- 지금 할 것: {kind.name}에서 {wrong}번 틀렸으니, {kind.step}을 하루 한두 문제만 물건으로 함께 해 보세요."
        )
    else:
        lines.append(f"- 지금 할 것: {child.facts['answered']}문제 가운데 {child.facts['right']}문제를 "
                     f"맞혔으니, 한 단계 어려운 문제나 "
                     "푼 방법을 말로 설명하기를 해 보세요.")  # fmt: skip
    return "\n".join(lines)


def beside_advice(kinds: ProblemKinds, message: str, child: Child) -> str:
    """What the records of a child tell beside advice on what a message is about: the kinds of problems that it names,
    or what is hard for the child, and what to begin with."""
    if not child.name:
        return ""
    if child.facts is None or not child.known:
        return (f"{with_particle(child.called, '은는')} 아직 기록이 없어요. 여덟 문제쯤 풀고 나면 무엇부터 하면 좋을지 "
                "기록으로 말씀드릴게요.")  # fmt: skip
    named = [one for one in child.facts["kinds"] if one["kind"] in kinds_in(message)]
    weak = child.weakest
    about = next((one for one in named if one is weak), None) or (None if named else weak)
    if about is not None:
        kind, wrong = kinds[about["kind"]], about["answered"] - about["right"]
        cause, example = next(iter(about["causes"]), None), next(iter(about["examples"]), None)
        shown = f" ('{cause['title'].partition(' (')[0]}' {cause['count']}번)" if cause else ""
        shown = f"{shown[:-1]}, {example['expression']}→{example['given']})" if shown and example else shown
        return (f"{child.called}의 기록으로는 {kind.name} {about['answered']}문제 가운데 {wrong}번 틀렸어요{shown}. "
                f"그러니 먼저 {kind.step}을 하루 한두 문제씩 해 보세요.")  # fmt: skip
    if kinds_in(message) and not named:
        return f"{with_particle(child.called, '은는')} 아직 여기서 그런 문제를 푼 기록이 없어요."
    answered, right = (sum(one[part] for one in named or child.facts["kinds"]) for part in ("answered", "right"))
    what = f"{', '.join(kinds[one['kind']].name for one in named)} " if named else ""
    return f"{child.called}의 기록으로는 {what}{answered}문제 가운데 {right}문제를 맞혔어요."


@dataclass(frozen=True, slots=True)
class Near:
    """A question that has an answer, near what was said. `share`: the model's, that it is what was asked."""

    ask: str
    text: str
    share: float


def near_questions(message: str, near: Sequence[Near]) -> str:
    """The answer to the nearest question, with how the message was taken; where none is near enough, the honest
    sentence and the questions that have an answer."""
    first, nearest = feeling(message), near[0]
    if nearest.share < _TOLD:
        asks = [f"- {one.ask}" for one in near]
        return "\n".join([f"{first} {_HONEST} 가까운 것으로는 이런 질문에 답할 수 있어요.".strip(), *asks])
    return "\n".join([f"{first} '{nearest.ask}'라는 말씀이라면 이래요.".strip(), nearest.text, _ELSE])
