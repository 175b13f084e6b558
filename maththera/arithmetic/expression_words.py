"""The signs and Korean words of arithmetic expressions, as patterns for `expression_parser`."""

import re
from typing import Final

from maththera.arithmetic.expressions import Beyond

SIGNS: Final = {
    **dict.fromkeys("+➕", "+"),
    **dict.fromkeys("-ㅡ➖", "-"),
    **dict.fromkeys("xX*×✕✖·∙⋅", "x"),
    **dict.fromkeys("÷➗", "/"),
}
WORDS: Final = {
    **dict.fromkeys(("더하기", "더 하기", "플러스", "보태기", "덧셈 "), "+"),
    **dict.fromkeys(("빼기", "뺴기", "마이너스", "뺄셈 "), "-"),
    **dict.fromkeys(("곱하기", "곱 하기", "곱셈 ", "곱 "), "x"),
    **dict.fromkeys(("나누기", "나눗기", "나눗셈 "), "/"),
}
_VERBS: Final = {
    "+": r"더하(?!기)|더해|더한|더할|더했|합하|합한|합해|합쳐|합치|보태(?!기)|보탠|합(?![가-힣])|합[은이을]|모으|모아",
    "-": r"빼(?!기)|뺀|뺄|뺐|덜어|덜면|차(?![가-힣])|차[는가를]|차이",
    "x": r"곱하(?!기)|곱해|곱한|곱할|곱했|곱(?![가-힣])|곱[은이을]",
    "/": r"나누(?!기)|나눠|나눈|나눌|나눴|몫",
}
SIGN: Final = re.compile(rf"\s*(?:([{re.escape(''.join(SIGNS))}])|({'|'.join(WORDS)})|(/))\s*")
VERB: Final = re.compile(
    "|".join(
        rf"\s*(?:(?:똑같이|다|모두|전부)\s*)?(?:(?P<{name}>{_VERBS[op]}))[가-힣]*"
        for name, op in zip("asmd", "+-x/", strict=True)
    )
)
OP_OF: Final = dict(zip("asmd", "+-x/", strict=True))
COMPARED: Final = re.compile(r"\s*(?:더 )?(?:(큰|많은)|(작은|적은)) ?수?[가-힣]*")
STOPS: Final = r"더하|더 하|더해|더한|빼|뺀|뺄|곱|나누|나눠|나눈|플러스|마이너스|합|보태|차"
ITEM_LINKS: Final = frozenset({"", "와", "과", "하고", "랑", "이랑", "에"})
FIRST_LINKS: Final = frozenset(
    {"에", "에다", "에다가", "에서", "와", "과", "하고", "랑", "이랑", "을", "를", "의", "보다", "씩"}
)
TOPIC_LINKS: Final = ("은", "는")
"""48은 6으로 나누면. In 5는 3에 2를 더하면 the 5 is the result."""
TIMES_LINKS: Final = ("을", "를", "씩")
HALF: Final = re.compile(
    r"의\s*(?:절반|반)(?=[은이도의?\s]|$)|\s*절반(?=이?면|하면|(?:은|이)?\s*(?:얼마|몇|뭐|[?0-9]|$))|"
    r"(?:을|를)?\s*(?:(?:또|다시)\s*)?(?:똑같이\s*)?(?:절반|반)(?:으로|씩)?\s*(?:나누|나눠|나눈|쪼개|가르|갈라|자르|잘라)[가-힣]*"
)
IN_GROUPS: Final = re.compile(r"[0-9영일이삼사오육칠팔구십백]씩\s*\S{1,8}?\s?(?:번|묶음)$")
"""5씩 4번. 10분씩 3번 is not an exercise."""
THEN: Final = re.compile(r"[\s,]*(?:(?:또|다시|그리고|그\s?다음에?|거기[에서]*)[\s,]+)?")
AFTER_BRACKET: Final = re.compile(r"\s*(에다가?|에서?|와|과|하고|이?랑|을|를|의|보다)(?![가-힣])")
EQUALS: Final = re.compile(r"\s*(?:은|는|이|가)?\s*=\s*")
GAP: Final = re.compile(
    r"[□▢☐⬜ㅁ]|네모|빈칸|얼마|어떤 수|\[\s*\]|\(\s*\)|[?](?=\s*[-+x×÷=*/])|[a-wyzA-WYZxX](?![A-Za-z0-9])"
)
ASKED: Final = re.compile(r"[?□▢☐⬜ㅁ]|네모|빈칸|얼마|뭐|몇|\(\s*\)")
MIXED: Final = re.compile(r"([0-9]{1,6})\s?[과와]\s?([0-9]{1,6})\s?/\s?([0-9]{1,6})(?![0-9])")
FRACTION: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})(?![0-9])")
PARTS_OF: Final = re.compile(r"\s?분의\s?")
DECIMAL: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}(?![0-9])")
SPOKEN_POINT: Final = re.compile(r"([영공일이삼사오육칠팔구십백]+)\s?점\s?([영공일이삼사오육칠팔구]+)")
VULGAR: Final = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5)}
_POWER: Final = re.compile(r"[²³]|\s?\^\s?[0-9]+|의?\s?[세네]?제곱")
_PERCENT: Final = re.compile(r"\s?(?:%|퍼센트|프로)")
SUFFIXES: Final[tuple[tuple[re.Pattern[str], Beyond], ...]] = ((_POWER, "power"), (_PERCENT, "percent"))
REMAINDER: Final = re.compile(r"\s*(?:…|⋯|\.{2,3}|,?\s*나머지[가는]?)\s*")
NO_AMOUNTS: Final = frozenset({"자리", "번째", "째", "학년", "단원", "단계"})
"""Counters of numbers that are never calculated with: "(두 자리 수)+(한 자리 수)" is the name of a unit."""
ROUND: Final = re.compile(r"[0-9]{1,3}(?: 000)+")
APART: Final = re.compile(r"[0-9](?: [0-9])+(?![0-9.,])|[0-9]{1,3}(?: [0-9]{3})+(?![0-9.,])")
"""Digits of one number with spaces between them: "1 0 0", "12 000"."""
MINUS: Final = re.compile(r"(?:-|마이너스)\s*")
