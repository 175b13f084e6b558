"""Stories with numbers that go on: several changes in one message, and messages that go on from the last amount."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.arithmetic.story_parser import OneStep, one_step
from maththera.chat.coach.drafts import Story
from maththera.chat.coach.own_claims import in_digits
from maththera.korean.numbers import Number, numbers_in, plain

_LOST: Final = re.compile(
    r"먹|잃|버[리려렸]|썼|써서|쓰고|쓰면|쓸|팔[았면고]|터[지졌]|날아|깨|떨어|갔|가고|가면|내리|내렸|내려|나가|빼|죽|줬(?!어\s*나)|주[었고면]|빌려\s?줬|나눠\s?줬|없어|덜"
)
_GAINED: Final = re.compile(
    r"더\s*(?:줬|주|샀|사|받|타|탔|왔|생|넣|모)|샀|사서|받|얻|생[기겼]|주[웠워]|탔|타고|타면|(?<!나)왔|넣|모[았으]|더해"
)
_GIVEN_TO_ME: Final = re.compile(
    r"(?:이모|할머니|할아버지|엄마|아빠|언니|누나|형|오빠|삼촌|친구|선생님|이웃)(?!\s*(?:한테|에게|께(?!서)|[을를]))[가이께서]*"
)
_AGAIN: Final = re.compile(r"[가-힣]{0,2}\s*더\s*(먹|썼|쓰|잃|팔|버)")
"""14개 먹고 9개 더 먹으면: what went is counted, not what is left."""
_MORE: Final = re.compile(r"더\s*(?:많|크|길)")
_LESS: Final = re.compile(r"더?\s*(?:적|작|짧)|덜\s*(?:있|갖|가)")
_SHARED: Final = re.compile(r"나누|나눠|나뉘|똑같이")
_EACH: Final = re.compile(r"씩")
_EACH_ASKED: Final = re.compile(r"몇\s*\S{0,3}\s*씩|얼마씩")
"""How many for each?"""
_PAYS: Final = re.compile(r"샀|사[고면서려]|사\s*먹|내[고면]|썼|쓰[고면]|짜리")
_SHARERS: Final = re.compile(r"\s*(?:명|사람)\s*이?(?:면|라면)")
"""The same shared by others: 4명이면?"""
_TOGETHER: Final = re.compile(
    r"(?:둘|셋|다|모두|전부|같이)\s*(?:이|이서)?\s*(?:합|더|모으|해서)|합치|합하|다\s*더|모두\s*몇"
)
_SHARES_TOO: Final = re.compile(
    r"(?:나|저|내|동생|형|누나|언니|오빠|친구|짝꿍|엄마|아빠|(?:한|1)\s*(?:명|사람))\S{0,2}\s*(?:까지|도\s*(?:먹|갖|가지|나[누눠]|받|주|줘|끼|오|왔|있|같이|껴)|더\s*(?:오|왔|있|먹|와|끼))"
)
"""One more shares: 나도 먹을 건데."""
_MORE_SHARERS: Final = re.compile(r"\s*(?:명|사람)\S{0,2}\s*더")
_LEFT_OVER: Final = re.compile(r"남[는은]\s*(?:거|것|건|게|사탕)?|나머지|안\s*남|남아\??$|남지")
_GLUED: Final = re.compile(
    r"(?<=\d)(개|자루|장|권|마리|명|송이|대|알|칸|쪽|병|줄|컵|조각|원)(?=있|인데|이?었|남|가지|를|을|더|먹|잃|에)"
)
"""A counter with the next word right behind it: 25자루있는데."""
_BOTH: Final = re.compile(r"둘|셋|합|더해|더하")
_CHANGE_BACK: Final = re.compile(r"거스름|잔돈")
_THAN_FIRST: Final = re.compile(r"처음\s*보다|원래\s*보다|아까\s*보다")
_DEMAND: Final = re.compile(
    r"몇|얼마|(?:빼|더하|더해|곱하|나누)\S{0,2}\s*(?:더하|더해|빼|곱|나)\S{0,2}\s*\??$|무슨\s*식|어떻게\s*(?:풀|해)|면\s*\??$|식(?:을|이|은)?|[가-힣]{1,4}[은는]\s*\??$|남"
)
_ASKED: Final = re.compile(r"몇|얼마|^[\s?~요]*$")
_COMPARES: Final = re.compile(r"몇\s?\S{0,2}?[이가을를]?\s*(?:더|덜|차이)")
"""By how many one is more than the other: no change of an amount."""
_HOW_MANY: Final = re.compile(r"몇\s?([가-힣]{1,2}?)(?=[이가을를씩은는인일야\s?]|$)")
_SHORTEST: Final = 20
"""Letters of a story of its own."""
_WHY_OPERATION: Final = re.compile(
    r"왜\s*(?:더하기|덧셈|빼기|뺄셈|곱하기|곱셈|나누기|나눗셈|더[하해]|빼|곱[하해]|나[누눠])(?!.*안)|왜\s*(?:그런|이런|그)\s*식"
)
_PRICED: Final = re.compile(
    r"(?<!\d)(\d{2,5})원\s*(?:짜리|하는|인)?\s*(?:[가-힣]{1,6}\s*)?(?:(\d{1,2})\s*(?:개|자루|권|장|병|봉지|마리|송이|통|잔)\S{0,3})?"
)
"""A price, and how many are bought: 200원짜리 지우개 3개."""
_NO_AMOUNT: Final = frozenset(
    {"학년", "번째", "째", "단원", "시", "월", "년", "살", "문제", "분", "초", "번", "등", "퍼센트"}
)


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A story, worked out: its expression, and how it stands afterwards. `asks_than_first`: whether there are more or
    fewer than at first; `asks_left`: how many are left over, or what becomes of them;
    `asks_now`: how many there are."""

    expression: str
    story: Story
    asks_than_first: bool = False
    asks_left: bool = False
    asks_now: bool = False


def asks_why_operation(message: str) -> bool:
    """Whether it is asked why a story is worked out by its operation: 왜 빼기로 해?"""
    return _WHY_OPERATION.search(message) is not None


def tells_other_story(message: str, in_hand: Sequence[Problem]) -> bool:
    """Whether a message tells a story of its own: a short one with none of the numbers of the problems in hand."""
    if len(message) <= _SHORTEST or (step := story_of(message)) is None:
        return False
    shown = read_expressions(step.expression)
    if shown and problem_of(shown[0]) in in_hand:
        return False
    own = {value for one in in_hand for value in (one.a, one.b, one.answer)}
    told = {one.value for one in numbers_in(message) if not one.doubtful}
    return len(message) > 2 * _SHORTEST or not own & told


def story_of(message: str) -> StoryStep | None:
    """A new story: groups of the same size, a sharing, or an amount that changes once or more or is compared once."""
    written = plain(message)
    text = _GLUED.sub(r"\1 ", written)
    for one in (written, text):
        if (known := one_step(one)) is not None and _ASKED.search(one, known.end):
            return _of_one_step(one, known)
    if _COMPARES.search(written):
        return None
    if _EACH.search(text) or _SHARED.search(text):
        return _of_prices(in_digits(written)) or _of_groups(text)
    return _of_prices(in_digits(written)) or _of_changes(text)


def _of_changes(text: str) -> StoryStep | None:
    """An amount that becomes more or fewer, once or several times."""
    numbers = _amounts(text)
    counters = dict.fromkeys(filter(None, (one.counter for one in numbers)))
    if len(counters) > 1:
        return None
    if len(numbers) < 2 or not _DEMAND.search(text):
        return None
    first = numbers[0].value or 0
    value, before, expression = first, first, str(first)
    for place, number in enumerate(numbers[1:], start=1):
        until = numbers[place + 1].start if place + 1 < len(numbers) else len(text)
        between, behind = text[numbers[place - 1].end : number.start], text[number.end : until]
        again = _AGAIN.match(behind) if place == 1 else None
        op = "+" if again and again[1] in between else _change(between, behind)
        op = "-" if number.counter == "원" and _PAYS.search(behind) else op
        if op is None:
            return None
        before, amount = value, number.value or 0
        value = value + amount if op == "+" else value - amount
        expression += f"{op}{amount}"
    if value < 0:
        return None
    return StoryStep(
        expression, {"first": first, "before": before, "value": value, "counter": next(iter(counters), "")}
    )


def _of_prices(text: str) -> StoryStep | None:
    """What several things cost together: 200원짜리 지우개 3개랑 500원짜리 연필 하나 사면 얼마."""
    prices = [(int(one[1]), int(one[2] or 1)) for one in _PRICED.finditer(text)]
    if not prices or not _PAYS.search(text) or not re.search(r"얼마|몇\s*원", text):
        return None
    if len(prices) == 1 and prices[0][1] == 1:
        return None
    total = sum(price * count for price, count in prices)
    parts = [f"{price}x{count}" if count > 1 else str(price) for price, count in prices]
    last = prices[-1][0] * prices[-1][1]
    story: Story = {"first": prices[0][0], "before": total - last or total, "value": total, "counter": "원"}
    return StoryStep("+".join(parts), story)


def _of_one_step(text: str, known: OneStep) -> StoryStep | None:
    """A story as the reader of expressions reads it."""
    a, b, counter = known.a.value or 0, known.b.value or 0, known.counter
    begun: Story = {"first": a, "before": a, "value": a, "counter": counter}
    if known.op == "x":
        return StoryStep(f"{a}x{b}", {**begun, "value": a * b, "each": a, "group": known.b.counter})
    if known.op == "/":
        asked = _HOW_MANY.search(text, known.end)
        if counter:
            return _shared(begun, b)
        parts, left = divmod(a, b)
        named = asked[1] if asked else ""
        now: Story = {**begun, "value": parts, "counter": named, "left": left, "rest": known.a.counter}
        return StoryStep(f"{a}/{b}", now)
    return StoryStep(f"{a}{known.op}{b}", {**begun, "value": a + b if known.op == "+" else a - b})


def _of_groups(text: str) -> StoryStep | None:
    """8자루씩 5상자; 24개를 6명이 똑같이. "한 상자에" and "한 명이" are no amounts."""
    numbers = [one for one in numbers_in(text) if one.value is not None and not one.doubtful]
    counts = [one for one in numbers if one.value != 1]
    if len(counts) != 2 or not _DEMAND.search(text) or counts[0].counter == counts[1].counter:
        return None
    a, b = counts[0].value or 0, counts[1].value or 0
    if _SHARED.search(text) or _EACH_ASKED.search(text):
        return _shared({"first": a, "before": a, "value": a, "counter": counts[0].counter}, b)
    each = next((one for one in counts if "씩" in text[one.end : one.end + 6]), counts[0])
    group = next(one.counter for one in counts if one is not each)
    now: Story = {"first": a, "before": a, "value": a * b, "counter": each.counter}
    return StoryStep(f"{a}x{b}", {**now, "each": each.value or 0, "group": group})


def _shared(story: Story, sharers: int) -> StoryStep | None:
    """The first amount shared out; None where there is not one for each."""
    first = story["first"]
    if not 1 < sharers <= first:
        return None
    each, left = divmod(first, sharers)
    now: Story = {**story, "before": first, "value": each, "sharers": sharers, "left": left}
    return StoryStep(f"{first}/{sharers}", now)


def story_goes_on(message: str, story: Story) -> StoryStep | None:
    """The next step of a story: more or fewer, shared, or put together."""
    text = plain(message)
    if _THAN_FIRST.search(text):
        return StoryStep("", story, asks_than_first=True)
    if (known := _shared_on(text, story) or _change_back(text, story)) is not None:
        return known
    numbers, value = _amounts(text), story["value"]
    if _TOGETHER.search(text) and not numbers and not story.get("compared") and _BOTH.search(text) is None:
        return StoryStep("", story, asks_now=True)
    if _TOGETHER.search(text) and not numbers:
        return _stepped(story, f"{story['before']}+{value}", story["before"] + value)
    if len(numbers) != 1 or not numbers[0].value or _has_no_price(numbers[0], story):
        return None
    amount, behind = numbers[0].value, text[numbers[0].end :]
    if story.get("group") and numbers[0].counter == story.get("group"):
        amount *= story.get("each", 1)
    if _SHARED.search(behind):
        return _stepped(story, f"{value}/{amount}", value // amount) if value % amount == 0 else None
    if numbers[0].counter in ("명", "사람") and _SHARERS.match(behind):
        return _shared(story, amount)  # by others
    op = _change(text[: numbers[0].start], behind)
    if op is None or (op == "-" and amount > value):
        return None
    step = _stepped(story, f"{value}{op}{amount}", value + amount if op == "+" else value - amount)
    step.story["compared"] = bool(_MORE.search(behind) or _LESS.search(behind))
    return step


def _has_no_price(number: Number, story: Story) -> bool:
    """Whether a number of a story of money counts things."""
    return story["counter"] == "원" and number.counter not in ("원", "명", "사람")


def _change_back(text: str, story: Story) -> StoryStep | None:
    """What comes back of the money that is given for the last amount: 2000원 내면 거스름돈은?"""
    paid = [one.value for one in _amounts(text) if one.value]
    if not _CHANGE_BACK.search(text) or len(paid) != 1 or paid[0] < story["value"]:
        return None
    return _stepped(story, f"{paid[0]}-{story['value']}", paid[0] - story["value"])


def _shared_on(text: str, story: Story) -> StoryStep | None:
    """What is asked of a sharing: with more who share, or of what is left over."""
    sharers = story.get("sharers")
    if sharers is None:
        return None
    counted = [one for one in numbers_in(text) if one.value and _MORE_SHARERS.match(text[one.end :])]
    if counted:
        return _shared(story, sharers + (counted[0].value or 0))
    if _SHARES_TOO.search(text):
        return _shared(story, sharers + 1)
    return StoryStep("", story, asks_left=True) if _LEFT_OVER.search(text) and not numbers_in(text) else None


def _stepped(story: Story, expression: str, value: int) -> StoryStep:
    now: Story = {**story, "before": story["value"], "value": value}
    now.pop("sharers", None)
    now.pop("left", None)
    return StoryStep(expression, now)


def _amounts(text: str) -> list[Number]:
    found = [one for one in numbers_in(text) if not one.doubtful and one.counter not in _NO_AMOUNT]
    persons = [
        one for one in found if one.counter in ("명", "사람") and _SHARED.search(text[one.end :]) and len(found) > 1
    ]
    return [one for one in found if one.value is not None and one not in persons]


def _change(before: str, behind: str) -> str | None:
    """Whether an amount is added or taken away, by the words around it."""
    if _MORE.search(behind):
        return "+"
    if _LESS.search(behind):
        return "-"
    gained, lost = _GAINED.search(behind), _LOST.search(behind)
    if lost and _GIVEN_TO_ME.search(before) and re.match(r"줬|주", lost[0]):
        return "+"  # others give to the child
    if gained and (not lost or gained.start() <= lost.start()):
        return "+"
    return "-" if lost else "+" if re.match(r"[가-힣]{0,2}\s*더", behind) else None
