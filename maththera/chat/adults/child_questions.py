"""What adults ask and claim of one child, answered from its records."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.chat.coach.learner_facts import (
    ENOUGH,
    OPERATION_OF,
    WEAK_SHARE,
    KindCounts,
    KindId,
    kinds_in,
    strong_kinds,
)
from maththera.chat.records.child_record import Child, Given
from maththera.chat.worksheets.sheet_texts import KIND_NAMES
from maththera.korean.numbers import SMALL_NUMBER
from maththera.korean.particles import with_particle

_GOOD_AT: Final = re.compile(r"잘\s*하는|잘\s*되는|강점|장점|자신\s*있|칭찬할")
_STRENGTHS: Final = re.compile(
    r"(?:잘\s*하는|잘\s*되는|자신\s*있는)\s*(?:거|것|게|건|점|부분)\S{0,3}\s*(?:있|없)|(?:강점|장점)\S{0,3}\s*(?:있|없)"
)
_BUT: Final = re.compile(
    r"\S+\s*(?:있는\s*(?:것|거)?)?\s*(?:말고|빼고|외에|제외하고)\s*(?:다른|나머지|딴|또)\S*\s*.{0,6}(?:괜찮|어때|어떤|잘|맞|틀|문제\s*없)"
)
_JUST_ONE: Final = re.compile(r"하나만|딱\s*(?:하나|한)|꼭\s*(?:집어|하나)|한\s*가지|콕|하나\s*(?:꼽|골라|말)")
_ONE_WRONG: Final = re.compile(
    r"(?:오답|틀린\s*(?:문제|거|것|게|건)|틀렸던\s*(?:문제|거|것))\S{0,2}\s*(?:하나|한\s*개|중\s*하나)?\s*(?:뭐|무엇|뭔|어떤|무슨|몇)"
    r"|(?:뭐|뭘|무엇을|무슨\s*문제를?|어떤\s*문제를?)\s*틀렸(?!는데)"
)
_CONFIRMS: Final = re.compile(
    r"(?:맞죠|맞지|맞나요?|맞아요|맞습니까|죠|지요|지예|지않|지\s*않|잖아|던데|다며|다면서|다는데|참말입니꺼|거예요|건가요?|거죠|거지|정말이에요|진짜예요|사실인가요)\S{0,3}\W*$"
)
_FEARS: Final = re.compile(
    r"(?:난산증|장애|문제\s*있는\s*아이|느린\s*학습자|경계선)\S{0,4}\s*(?:이?면|일까\s*봐|일까\s*무서|같아서|인\s*거면|이라면)\s*\S{0,6}"
    r"(?:어떡|어떻게\s*하|어쩌|우짜|걱정|무서|겁|불안|큰일|\W*$)"
)
_OPEN: Final = re.compile(r"뭐|무엇|뭔|어떤|왜|몇|언제|누구|누가|어떻게|얼마|어디|어느")
_BAD: Final = re.compile(
    r"빠뜨|빠트|빼먹|까먹|틀[리린렸]|못\s*[하해푸]|못하|어려워|힘들어|헷갈|약하|약한|안\s*되|안\s*돼|실수|모르"
)
_WELL: Final = re.compile(r"잘\s*[하해되돼푸]|맞[히혔았추췄]|문제\s*없|괜찮|할\s*줄|완벽|자신\s*있")
_ALL: Final = re.compile(r"다\s*맞|모두\s*맞|전부\s*맞|하나도\s*안\s*틀|틀린\s*(?:게|것이|거)\s*(?:하나도\s*)?없")
_REST: Final = re.compile(
    rf"나머지\s*(?:\S{{1,3}}\s*(?:개|문제|번)|{SMALL_NUMBER}|오답|실수)?\s*(?:는|은|도)?\s*(?:요|뭐|뭔|뭡|무엇|어떤|왜|\W*$)"
    r"|(?:그|이)\s*(?:외|밖)\S{0,2}\s*(?:오답|틀린|실수|는|은)"
)
_DOUBTS: Final = re.compile(
    r"단정|성급|표본|통계적|적은\s*(?:문제|수)|\d+\s*(?:문제|개)(?:로|만으로|가지고).{0,24}(?:무리|충분|믿|말할|판단|알\s*수|괜찮)"
)
_CHANCE: Final = re.compile(r"우연|확률|운\s*(?:이|으로|나쁘)")
_DISPROVES: Final = re.compile(r"반증|반박|아닌지\s*(?:확인|알)|검증|확인하려면|가설")
_APART: Final = re.compile(
    r"(?:따로|개별|일대일|1\s*(?::|대)\s*1|개인)\S{0,3}\s*(?:지도|봐|가르|도와|보충|수업|챙|교육|시간).{0,8}(?:까|하나|나요|필요|되나|될지|할지|좋아|돼|해\?)"
    r"|보충\S{0,2}\s*(?:지도|수업|학습)?\S{0,2}\s*(?:이|가)?\s*(?:필요|해야|시켜야|할까)"
)
_SHARE: Final = re.compile(r"^(?!.*(?:불안|난산|난독|장애|ADHD)).{0,24}(?:비율|퍼센트|몇\s*%|몇\s*프로)\S{0,5}\W*$")
_OPERATION: Final = re.compile(r"덧셈|더하기|뺄셈|빼기|곱셈|구구|나눗셈|나누기|[올내]림")
_PAIRS: Final = {
    "+": (KIND_NAMES["carry"], KIND_NAMES["add"]),
    "-": (KIND_NAMES["borrow"], KIND_NAMES["take"]),
}
OPERATION_NAMES: Final = {"+": "덧셈", "-": "뺄셈", "x": "곱셈", "/": "나눗셈"}
_LISTED: Final = 3
_BRIEF: Final = 40


def of_one(message: str, child: Child) -> str:
    """What the records of a child tell to what is asked or claimed of it; "" for what is asked of nothing here."""
    if _APART.search(message):
        return _apart(child)
    if not child.known or child.facts is None:
        return ""
    if claim := _of_claim(message, child):
        return claim
    if _GOOD_AT.search(message) and _JUST_ONE.search(message):
        return _best(child)
    if _STRENGTHS.search(message):
        return _strengths(child)
    if (found := _BUT.search(message)) and (left_out := kinds_in(found[0])):
        return _others(child, left_out)
    if _ONE_WRONG.search(message) and len(message) < _BRIEF and "왜" not in message:
        return _wrong_problem(child)
    if _SHARE.search(message) and not _OPERATION.search(message):
        return f"{topic(child)} {_figures(child)}."
    return next((told(child) for words, told in _BY_WORDS if words.search(message)), "")


def _of_claim(message: str, child: Child) -> str:
    """Whether what is claimed of a child is so; what is so in its place."""
    facts = child.facts
    if facts is None or not _CONFIRMS.search(message) or _OPEN.search(message):
        return ""
    if _ALL.search(message):
        wrong = facts["answered"] - facts["right"]
        if not wrong:
            return f"네, 맞아요. {topic(child)} 지금까지 {facts['answered']}문제를 모두 맞혔어요."
        return f"기록에는 조금 달라요. {topic(child)} {_figures(child)}. {_mistakes(child)}"
    bad, well = _BAD.search(message) is not None, _WELL.search(message) is not None
    kinds = kinds_in(message)
    if not kinds or bad == well:
        return ""
    own = [one for one in facts["kinds"] if one["kind"] in kinds]
    named = OPERATION_NAMES[OPERATION_OF[own[0]["kind"]]] if own and len(kinds) > 1 else KIND_NAMES[kinds[0]]
    if not own:
        return f"{topic(child)} {with_particle(named, '을를')} 푼 기록이 없어요. {_mistakes(child)}"
    answered, right = sum(one["answered"] for one in own), sum(one["right"] for one in own)
    share = f"{named} {answered}문제 가운데 {right}문제를 맞혔어요"
    weak = answered >= ENOUGH and right < WEAK_SHARE * answered
    if bad == weak:
        return f"네, 맞아요. {topic(child)} {share}.{cause_told(own)}"
    if bad:
        return f"아니요, 기록은 달라요. {topic(child)} {share}. {_mistakes(child)}"
    return f"기록은 달라요. {topic(child)} {share}.{cause_told(own)}"


def _apart(child: Child) -> str:
    """Whether a child is to be taught apart, by its records."""
    if not child.known or child.facts is None:
        return (f"{topic(child)} 아직 기록이 없어서 말할 수 없어요. 먼저 여덟 문제쯤 풀게 해 보고, "
                "막히는 것이 되풀이되면 정하세요.")  # fmt: skip
    weak = child.weakest
    if weak is None:
        return (f"{topic(child)} 꼭 따로 할 까닭이 기록에 없어요. {_figures(child)}. 반과 함께 하면서 한 단계 "
                "어려운 문제를 두세 개 주시면 충분해요.")  # fmt: skip
    good = next((one for one in strong_kinds(child.facts) if one is not weak), None)
    together = f" {with_particle(KIND_NAMES[good['kind']], '은는')} 잘 맞히니 반과 함께 하면 돼요." if good else ""
    return (f"네, 한 가지만 짧게 따로 봐주시면 좋겠어요. {topic(child)} {KIND_NAMES[weak['kind']]} "
            f"{weak['answered']}문제 가운데 {weak['answered'] - weak['right']}번 틀렸어요.{cause_told([weak])} "
            f"하루 5~10분씩 수 모형으로 한두 문제를 함께 하고, 두세 주 뒤에 다시 보세요.{together}")  # fmt: skip


def _best(child: Child) -> str:
    facts = child.facts
    best = next(iter(strong_kinds(facts)), None) if facts else None
    if best is None:
        return _no_strength(child)
    most = max((one for one in strong_kinds(facts) if one["right"] == one["answered"]), key=lambda one: one["answered"],
               default=best) if facts else best  # fmt: skip
    told = "모두" if most["right"] == most["answered"] else f"{most['right']}문제"
    example = next((one.problem.expression for one in reversed(child.answers)
                    if one.right and _is_of(one, most["kind"])), "")  # fmt: skip
    shown = f" {with_particle(example, '을를')} 맞힌 것처럼요." if example else ""
    return f"{KIND_NAMES[most['kind']]}이에요. {most['answered']}문제를 풀어 {told} 맞혔어요.{shown}"


def _wrong_problem(child: Child) -> str:
    counts = Counter((one.problem.expression, one.given, one.problem.answer) for one in child.answers if not one.right)
    if not counts:
        return f"{topic(child)} 틀린 문제가 없어요."
    lines = [
        f"{expression}에 {'답을 적지 않았어요' if given is None else with_particle(given, '라고') + ' 답했어요'}"
        f"{f' ({number}번)' if number > 1 else ''}. 바른 답은 {with_particle(answer, '예요')}."
        for (expression, given, answer), number in counts.most_common(_LISTED)
    ]
    if len(counts) == 1:
        return f"{child.called}의 틀린 문제는 하나예요. {lines[0]}"
    return "\n".join(
        [f"{topic(child)} 모두 {counts.total()}번 틀렸고, 가장 잦은 것은 이래요.", *(f"- {line}" for line in lines)]
    )


def _rest(child: Child) -> str:
    """The wrong answers that the commonest procedure does not explain."""
    wrong = [one for one in child.answers if not one.right]
    causes = Counter(one.procedure for one in wrong)
    if not wrong or not (known := [name for name, _ in causes.most_common() if name]):
        return ""
    rest = [one for one in wrong if one.procedure != known[0]]
    if not rest:
        return f"틀린 답 {len(wrong)}개가 모두 ‘{CATALOGUE[known[0]].title}’와 맞아서 나머지가 없어요."
    counts = Counter((one.problem.expression, one.given, one.procedure) for one in rest)
    lines = [
        f"- {expression}→{given} {number}번: {f'‘{CATALOGUE[name].title}’와 맞는 답' if name else '원인을 아직 모름'}"
        for (expression, given, name), number in counts.most_common(_LISTED + 2)
    ]
    head = (
        f"틀린 답 {len(wrong)}개 가운데 ‘{CATALOGUE[known[0]].title}’ {causes[known[0]]}개를 뺀 {len(rest)}개는 이래요."
    )
    return "\n".join([head, *lines])


def _not_told_by_records(child: Child) -> str:
    """To a fear of dyscalculia: what the records tell, and that they do not tell that."""
    return (
        f"걱정이 크셨겠어요. {topic(child)} {_figures(child)}. {_mistakes(child)} "
        "이 기록만으로는 난산증이라고도, 아니라고도 말할 수 없어요. 그것은 전문가의 검사로만 알 수 있어요. "
        "한 가지에서 되풀이되는 실수는 "
        "연습으로 줄어드는 일이 많으니, 한두 달 도와 보고 그래도 걱정되시면 담임 선생님과 먼저 이야기해 보세요."
    )


def _how_certain(child: Child) -> str:
    """How far a pattern of mistakes is to be trusted."""
    wrong = [one for one in child.answers if not one.right]
    causes = Counter(name for one in wrong if (name := one.procedure))
    if not causes:
        return "틀린 답이 거의 없어서 유형을 말하기에는 일러요."
    name, number = causes.most_common(1)[0]
    share = f"틀린 답 {len(wrong)}개 가운데 {number}개가 ‘{CATALOGUE[name].title}’ 한 가지와 맞아요"
    if len(wrong) < 2 * ENOUGH or 2 * number < len(wrong):
        return f"네, 단정하기는 일러요. {share}. 같은 종류의 문제를 더 풀려 보고 되풀이되는지 보세요."
    kinds = Counter(one.problem.expression for one in wrong if one.procedure == name)
    return (f"조심하시는 것이 맞아요. 다만 {share}. 서로 다른 문제 {len(kinds)}개에서 되풀이되어 우연으로만 "
            f"보기는 어려워요. "
            "어떤 문제가 많이 나왔는지에도 달렸으니 확정이 아니라 확인할 가설로 두고, 아이가 푸는 것을 말로 "
            "들어 보세요.")  # fmt: skip


def _how_likely(child: Child) -> str:
    """Whether a pattern of mistakes may be chance."""
    wrong = [one for one in child.answers if not one.right]
    most = Counter(name for one in wrong if (name := one.procedure)).most_common(1)
    if not most or most[0][1] < 2 * ENOUGH:
        return "되풀이된 오답이 몇 개뿐이라 우연일 수도 있어요. 같은 종류를 더 풀려 보아야 알 수 있어요."
    return (f"네, 그럴 거예요. 아무렇게나 틀렸다면 답이 여러 가지로 흩어지는데, {len(wrong)}개 가운데 "
            f"{most[0][1]}개가 한 방법의 답과 "
            "꼭 맞아요. 다만 확률을 수로 계산한 것은 아니고, 그런 실수가 나올 만한 문제가 많이 나왔는지도 "
            "함께 보셔야 해요.")  # fmt: skip


def _to_disprove(child: Child) -> str:
    """Which problems would speak against the commonest procedure."""
    wrong = Counter(name for one in child.answers if not one.right and (name := one.procedure))
    if not wrong:
        return ""
    name = wrong.most_common(1)[0][0]
    own = next(one for one in child.answers if not one.right and one.procedure == name)
    with_it, without = _PAIRS.get(own.problem.op, ("같은 종류의 문제", "더 쉬운 문제"))
    return (f"수의 크기를 맞춰 {with_it} 네 문제와 {without} 네 문제를 섞어 내 보세요. 둘 다 비슷하게 틀리거나, "
            f"{own.problem.expression} 같은 문제에서 ‘{CATALOGUE[name].title}’의 답({own.given})이 아닌 "
            f"다른 답이 나오면 이 가설에 "
            "맞지 않는 거예요. 모형을 쓰거나 올린 수를 적을 칸을 두었을 때 바로 맞히면 가설에 힘이 "
            "실려요.")  # fmt: skip


def _mistakes(child: Child) -> str:
    """Where the mistakes are: 틀린 것은 받아내림이 있는 뺄셈(24번)이고 …"""
    facts = child.facts
    wrong = [one for one in facts["kinds"] if one["right"] < one["answered"]] if facts else []
    if not wrong:
        return "틀린 문제가 없어요."
    ordered = sorted(wrong, key=lambda one: one["right"] - one["answered"])
    told = ", ".join(f"{KIND_NAMES[one['kind']]} {one['answered'] - one['right']}번" for one in ordered[:2])
    return f"틀린 것은 {told}이에요.{cause_told(ordered[:1])}"


def cause_told(kinds: Sequence[KindCounts]) -> str:
    """The commonest wrong procedure of some kinds of problems, as a sentence; "" where none is known."""
    causes = [cause for one in kinds for cause in one["causes"]]
    most = max(causes, key=lambda cause: cause["count"], default=None)
    return f" 가장 잦은 것은 ‘{most['title']}’로, {most['count']}번이에요." if most else ""


def _figures(child: Child) -> str:
    facts = child.facts
    if facts is None:
        return ""
    share = round(100 * facts["right"] / facts["answered"])
    return f"{facts['answered']}문제 가운데 {facts['right']}문제를 맞혀서 {share}%예요"


def topic(child: Child) -> str:
    """하늘이는"""
    return with_particle(child.called, "은는")


def _is_of(one: Given, kind: KindId) -> bool:
    carries = bool(one.problem.carries)
    return one.problem.op == OPERATION_OF[kind] and (
        kind in ("times", "share") or carries == (kind in ("carry", "borrow"))
    )


def _no_strength(child: Child) -> str:
    none = "아직 뚜렷이 앞서는 것이 보일 만큼 기록이 없어요. 끝까지 풀어 본 것을 먼저 칭찬해 주세요."
    return f"{topic(child)} {none}"


def _strengths(child: Child) -> str:
    """Every kind of problems that goes well, with its figures."""
    strong = strong_kinds(child.facts) if child.facts else []
    if not strong:
        return _no_strength(child)
    lines = [f"- {KIND_NAMES[one['kind']]}: {one['answered']}문제 가운데 {one['right']}문제 맞음" for one in strong]
    return "\n".join([f"네, {with_particle(child.called, '이가')} 잘하는 것은 이래요.", *lines])


def _others(child: Child, left_out: Sequence[str]) -> str:
    """How a child does in all kinds but those."""
    rest = [one for one in child.facts["kinds"] if one["kind"] not in left_out] if child.facts else []
    if not rest:
        return f"{topic(child)} 그것 말고는 푼 문제가 없어요."
    lines = [f"- {KIND_NAMES[one['kind']]}: {one['answered']}문제 가운데 {one['right']}문제 맞음" for one in rest]
    weak = [one for one in rest if one["answered"] >= ENOUGH and one["right"] < WEAK_SHARE * one["answered"]]
    first = f"{KIND_NAMES[weak[0]['kind']]}도 봐 주세요." if weak else "네, 그것 말고는 괜찮아요."
    return "\n".join([first, *lines])


_BY_WORDS: Final[tuple[tuple[re.Pattern[str], Callable[[Child], str]], ...]] = (
    (_FEARS, _not_told_by_records), (_REST, _rest), (_DISPROVES, _to_disprove), (_CHANCE, _how_likely),
    (_DOUBTS, _how_certain),
)  # fmt: skip
"""Words of a question → the function that answers it."""
