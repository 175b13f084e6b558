"""What teachers ask of several children: whom to put into a group, a table of all, whether records may be published."""

import re
from collections.abc import Sequence
from typing import Final

from maththera.chat.adults.child_questions import OPERATION_NAMES, cause_told, topic
from maththera.chat.coach.learner_facts import ENOUGH, OPERATION_OF, WEAK_SHARE, KindId, kinds_in
from maththera.chat.records.child_record import Child
from maththera.chat.worksheets.sheet_texts import KIND_NAMES
from maththera.korean.particles import with_particle

_GROUP: Final = re.compile(
    r"(?:소?그룹|모둠|소집단|보충반|방과\s*후|나머지\s*공부|같이\s*(?:묶|지도)|따로\s*(?:묶|모)).{0,30}(?:누구|누굴|누가|어느|어떤\s*(?:애|아이|학생)|짜|넣|뽑|정하|추천)"
    r"|(?:모둠|소?그룹|조)\S{0,2}\s*(?:\S{1,4}\s*)?(?:나누|나눌|나눠|묶|편성|짜|구성)|수준별\S*\s*.{0,8}(?:나누|나눌|나눠)"
    r"|(?:누구|누굴|어떤\s*(?:애|아이)를?)\S{0,3}\s*(?:를|을)?\s*(?:같이\s*|함께\s*)?(?:넣|묶|뽑|모을|모으|부를|남길|데려)"
)
_INTO: Final = re.compile(r"넣|끼우|끼워|포함|빼|제외|부를|데려|같이\s*해|합류|참여")
_TABLE: Final = re.compile(
    r"^.{0,12}표(?:로라도|로|라도|를|만|\s*하나)\s*(?:\S{1,5}\s*)?(?:줘|주|좀|부탁|보여|만들|정리|되|요|\W*$)"
)
_COLUMN: Final = re.compile(
    r"(?:칸|열|항목|컬럼)\S{0,2}\s*(?:도\s*)?(?:하나\s*)?(?:추가|넣|더|늘|붙)|(?:도|까지)\s*(?:넣|추가|붙)"
)
_PUBLISHES: Final = re.compile(
    r"(?:점수|성적|기록|정답률|순위|등수|결과|이름)\S{0,3}\s*.{0,16}(?:실어|올려|붙여|게시해?|공개해?|걸어|돌려|적어|보여\s*줘)도\s*(?:되|돼|될|괜찮|문제)"
    r"|이름\S{0,2}\s*(?:만\s*)?(?:빼|지우|가리|없이)\S{0,3}\s*.{0,6}(?:괜찮|되|돼|문제\s*없)"
)
UNNAMED: Final = "이름 없이"
"""In place of a column: that the children are not named."""
NOT_PUBLISHED: Final = (
    "아니요, 권하지 않아요. 점수와 기록은 아이의 개인 정보이고, 이름을 빼도 몇 명 안 되는 반에서는 누구인지 "
    "알 수 있어요. 낮은 점수를 본 아이가 "
    "상처받기도 쉬워요. 대신 요즘 함께 배우는 것, 집에서 하는 5분 활동, 반 전체를 칭찬하는 말을 실어 "
    "보세요. 글이 필요하시면 "
    '"소식지 글 써 줘"라고 말씀해 주세요.'
)
"""What is said to the question whether records may be published."""


def wants_group(message: str) -> bool:
    """Whether a message asks whom of several children to put together."""
    return _GROUP.search(message) is not None


def wants_into_group(message: str) -> bool:
    """Whether a message asks whether a child should be in a group."""
    return _INTO.search(message) is not None


def kinds_of_group(message: str) -> tuple[KindId, ...]:
    """The kinds of problems that a group is to be for; all that are weak where none is named."""
    named = kinds_in(message)
    return tuple(kind for kind in OPERATION_OF if kind in named)


def group_of(kinds: Sequence[KindId], children: Sequence[Child]) -> str:
    """Whom a group could be of, with the figures that speak for it; the choice stays with the teacher."""
    chosen = [(child, own) for child in children if (own := _counts(child, kinds)) and _is_weak(own)]
    others = [
        (child, own) for child in children if child.known and (own := _counts(child, kinds)) and not _is_weak(own)
    ]
    unknown = [child.called for child in children if not child.known]
    what = _about(kinds)
    lines = [
        f"기록으로는 {', '.join(child.called for child, _ in chosen)}부터예요."
        if chosen
        else f"기록으로는 {what}따로 모을 만큼 틀리는 아이가 없어요."
    ]
    for child, (answered, right, cause) in chosen:
        lines.append(f"- {child.called}: {what}{answered}문제 가운데 {answered - right}번 틀렸어요.{cause}")
    for child, (answered, right, _) in others:
        wrong = answered - right
        lines.append(
            f"- {child.called}: {what}{answered}문제 가운데 {f'{wrong}번만 틀렸어요' if wrong else '모두 맞혔어요'}."
        )
    if unknown:
        lines.append(
            f"- {with_particle(', '.join(unknown), '은는')} 기록이 없어서 몇 문제를 먼저 풀게 해 보고 정하세요."
        )
    return "\n".join(lines)


def into_group(kinds: Sequence[KindId], child: Child) -> str:
    """Whether the records speak for one child being in a group."""
    own = _counts(child, kinds)
    what = _about(kinds)
    if not child.known:
        return (f"{topic(child)} 아직 기록이 없어서 넣을지 말지를 기록으로는 말할 수 없어요. 먼저 "
                f"{what or '쉬운 '}문제를 대여섯 개 "
                "풀게 해 보고 정하세요. 결정은 선생님께서 하시면 돼요.")  # fmt: skip
    if own is None:
        return f"{topic(child)} {what}푼 문제가 없어서 몇 문제를 먼저 풀게 해 보세요."
    answered, right, cause = own
    if _is_weak(own):
        return f"{topic(child)} {what}{answered}문제 가운데 {answered - right}번 틀려서 넣는 것이 맞아 보여요.{cause}"
    wrong = f"{answered - right}번만 틀렸어요" if answered > right else "모두 맞혔어요"
    return (f"{topic(child)} {what}{answered}문제 가운데 {wrong}. 꼭 넣을 까닭은 기록에 없어요. "
            "두세 문제를 더 풀려 보고 되풀이되면 그때 넣으세요.")  # fmt: skip


def class_table(children: Sequence[Child], columns: Sequence[str]) -> str:
    """Figures of all children, a row each; a dash where there is none. With the column `UNNAMED` children are only
    numbered."""
    unnamed, columns = UNNAMED in columns, [one for one in columns if one != UNNAMED]
    head = ["번호" if unnamed else "이름", "푼 문제", "맞힌 문제", *columns]
    rows = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for number, child in enumerate(children, start=1):
        facts, called = child.facts, str(number) if unnamed else child.name
        cells = [called, *(["–"] * (len(head) - 1))]
        if facts is not None and child.known:
            more = {
                "틀린 문제": str(facts["answered"] - facts["right"]),
                "정답률": f"{round(100 * facts['right'] / facts['answered'])}%",
                "연습한 날": f"{len(facts['days'])}일",
                "잦은 원인": child.weakest["causes"][0]["title"] if child.weakest and child.weakest["causes"] else "–",
            }
            cells = [called, str(facts["answered"]), str(facts["right"]), *(more[one] for one in columns)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def columns_named(message: str) -> list[str]:
    """The columns of such a table that a message names, besides those that it always has."""
    words = {
        UNNAMED: r"(?:이름|실명|누군지)\S{0,2}\s*(?:빼|없이|지우|지워|가리|가려|말고|모르게)|익명",
        "틀린 문제": r"틀린|오답",
        "정답률": r"정답률|비율|퍼센트|%",
        "연습한 날": r"연습|날|며칠|일수",
        "잦은 원인": r"원인|실수|오류",
    }
    return [name for name, pattern in words.items() if re.search(pattern, message)]


def wants_table(message: str) -> bool:
    """Whether a message wants a table and says little else."""
    return _TABLE.search(message) is not None


def wants_column(message: str) -> bool:
    """Whether a message wants another column."""
    return _COLUMN.search(message) is not None


def publishes(message: str) -> bool:
    """Whether a message asks whether what the records tell of children may be published."""
    return _PUBLISHES.search(message) is not None


def _counts(child: Child, kinds: Sequence[KindId]) -> tuple[int, int, str] | None:
    """Answered, right and the commonest cause of some kinds, of all without any; None for no answer."""
    own = [one for one in child.facts["kinds"] if not kinds or one["kind"] in kinds] if child.facts else []
    answered, right = sum(one["answered"] for one in own), sum(one["right"] for one in own)
    return (answered, right, cause_told(own)) if answered else None


def _is_weak(own: tuple[int, int, str]) -> bool:
    answered, right, _ = own
    return answered >= ENOUGH and right < WEAK_SHARE * answered


def _about(kinds: Sequence[KindId]) -> str:
    operations = dict.fromkeys(OPERATION_NAMES[OPERATION_OF[kind]] for kind in kinds)
    if len(kinds) == 1:
        return f"{KIND_NAMES[kinds[0]]} "
    return f"{'·'.join(operations)} " if operations else ""
