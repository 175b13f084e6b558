"""Short questions about the sum in hand: which operation it is, whether a guess fits, where it went wrong."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import Expression, read_expressions
from maththera.chat.coach.column_replies import column_words
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.message_shapes import CLAIMS, guessed_number, names_days, problems_in_hand, wrong_result
from maththera.chat.coach.own_claims import claims_in, in_digits
from maththera.chat.coach.small_talk import act_of
from maththera.korean.numbers import numbers_in

_OPERATION: Final = re.compile(
    r"(?:아|음|그럼|이건|이거|그거|그건|이거는|이게|식은|\s)*(?:더하기|빼기|곱하기|나누기|덧셈|뺄셈|곱셈|나눗셈)"
    r"(?:요|이?야|이?지|이?네|이?에요|예요|이?죠|인가요?|인거[야지]|맞[아지]|하는\s*거[야지]?"
    r"|로\s*해|해야\s*[돼해]|(?=\s*\?))[?!.ㅋㅎ ]*"
)
"""Is it an addition?"""
_FITS: Final = re.compile(
    r"(?:이거|그거|그럼|나|답|내\s*답|이제|이러면|\s)*(?:맞[아지나][요]?|맞는\s*거[야지]|맞았[어나지]|정답이?[야지]|됐[어지나])"
    r"[?!. ㅎㅋ]*"
)
_WHERE_WRONG: Final = re.compile(
    r"(?:근데|그럼|아니|아|엥|응|헐|어|그니까|그러니까|그래서|도대체|대체|이거|이게|그게|내\s*답|답이?|[?\s])*"
    r"(?:왜|어디가?|어디서|뭐가|뭐를|뭘|뭐땜에|뭐\s*때문에)?\s*(?:왜\s*)?"
    r"(?:틀[려렸린][가-힣]*|아니[야에라][가-힣]*|아닌[가-힣]*|안\s*맞[가-힣]*|잘못[가-힣]*|이상[해한하][가-힣]*)"
    r"\s*(?:거야|건데|데|지)?(?:\s*(?:좀\s*)?(?:알려|말해|가르쳐|설명해)\s*(?:줘|주라|주세요|봐))?[?!. ㅠㅡ]*"
)
CONCLUDED: Final = re.compile(
    r"(?:니까|그럼|그래서|그러면|맞다|아하|아아|답은|알[겠았][어다]|[았었했렸웠셌뺐먹]\S?(?:는데|더니))"
    r"\s*(\d{1,6})\s*(?:개|명|마리|칸)?\s*(?:이?[야지네다]|이?요|이에요|예요|남[았네아]\S?|나[왔와]\S?|됐\S?)?"
    r"[!?. ㅋㅎㅠ]*$"
)
"""A number at the end that something comes to."""
_DECIDED: Final = re.compile(
    r"(\d{1,6})\s*(?:개|명|번|원|칸)?(?:으로|로)\s*(?:할게|할래|하겠|갈게|갈래|정했|정할|쓸게|쓸래|적을게|적을래|결정|낼게|밀고)"
)
"""A number that a child makes up its mind for: 그럼 64로 할게요."""
_UNCHANGED: Final = re.compile(r"그대로|똑같|안\s*변|안\s*바뀌|안\s*달라")
_NOTHING: Final = re.compile(r"(?:0|영|없)\s*(?:개|네|어|지|다|이?야|이?네|이?지|요|인가)?[?!. ㅋㅎ]*$")
"""Zero at the end, as an answer: 바구니가 0개니까 0?"""
_FOUND: Final = re.compile(
    r"^\W*(?:아|앗|헐|어|오)\s*(?:맞다|맞네|참|그렇지|그렇구나)(?!.*\d)[^?]*(?:지|네|구나|는데|다)[!. ㅋㅠㅎ]*$"
    r"|(?:안|못)\s*(?:더했|올렸|뺐|빌렸|썼|적었)[가-힣]*[!. ㅋㅠ]*$|(?:빼먹|까먹|깜빡)\s*(?:했|었)[가-힣]*[!. ㅋㅠ]*$"
)
"""I have left something out."""
_TOLD_FIRST: Final = re.compile(
    r"\W*(?:(?:아|어|음|앗|오|그럼|나|나는|답은?)[\s,.!]*)*(\d{1,6})"
    r"(?!\s*(?:개|번|문제|명|쪽|점|분|초|시|살|단|학년|원|마리|더|빼|곱|나누|이?랑|하고|에서|은|는|을|를|의|부터|까지|\d|[-+×÷x*/=.,]\s*\d))"
    r"\s*(?:이?요|이?야|이?지|예요|이에요|인데|이네|맞|인가)?(?=[\s.,!?~ㅋㅎㅠ]|$)"
)
"""A message that begins with a number as an answer: "아 59ㅋㅋ 거꾸로 썼다"."""
_COUNTED: Final = re.compile(r"\d\s*(?:문제|번|점|분|초|시|살|쪽|단|학년|원|퍼|%)")
"""A number of something that is no answer: problems, minutes, points."""
_ONE_MORE: Final = re.compile(
    r"\W*(?:힌트\s*)?(?:딱\s*)?(?:하나|한\s*개|조금)\s*만?\s*더(?:\s*(?:줘|알려\s*줘|말해\s*줘))?\W*"
)
_GROUPS_TOLD: Final = re.compile(
    r"\W*(?:(?:아|그럼|답은?|총)\s*)*(\d+)\s*(?:번|묶음|칸|줄|봉지|명)\s*(?:이?[야네지다]|이?요|인가|뺐\S{1,2})?\W*"
)
"""So many groups, as an answer."""
_NEXT_ONE: Final = re.compile(
    r"\W*(?:(?:그럼|이제|나|아|오|좋아|응|얼른|빨리|야호|오예|아싸|앗싸|신난다|[ㅋㅎ]+)\s*)*(?:(?:다음|담|딴|다른|새|새로운|또|하나|한\s*(?:개|문제)|더)\s*(?:거|것|꺼|걸|문제)?\s*(?:만\s*)?)+"
    r"(?:로\s*)?(?:줘|내\s*줘|내|할래|하자|풀래|풀자|해|하고\s*싶\S*)?(?:요)?\W*"
)
"""Another problem."""
_SHORTER: Final = re.compile(
    r"\W*(?:더|좀|조금|그럼|아니|너무\s*길어|\s)*(?:짧게|간단히|간단하게|줄여서?|한\s*줄로|한\s*문장으로|한마디로)"
    r"(?:\s*(?:만|좀|요|말해|알려|해|줘|주세요|부탁(?:해|드려)?요?|말씀해))*\W*"
)
_SO_FAR: Final = re.compile(r"어디\s*까지|어디\s*하고\s*있|뭐\s*하다가?\s*말았|뭐\s*하고\s*있었")
"""How far was I?"""
LINE: Final = re.compile(r"(?:수직선|(?:숫자|수)\s*(?:줄|선))(?:[도만]?\W*$|으로|로|에|에서|을|를|\s*(?:그려|보여))")
"""Words that want the problem in hand on the number line."""
PICTURE: Final = re.compile(rf"{LINE.pattern}|그림|그려|블록|블럭|모형|막대|동그라미|눈으로")
START: Final = re.compile(
    r"처음부터|첨부터|첫\s*번?째부터|하나씩|차근|순서대로|차례"
    r"|(?<!다시)(?<!다시 )설명|천천히|자세히|(?:푸는|하는)\s*(?:법|방법)"
    r"|(?:어떻게|어케|어떡해)\s*(?:하는|푸는|풀어|풀지|풀면|계산)|(?:이거|이건|요거|이\s*문제)\S*\s*(?:어떻게|어케)\s*(?:해|하)"
)
"""Words that want the problem in hand drawn, and told from the beginning."""
UNDECIDED: Final = re.compile(r"인가.*(?:인가|아니면)|헷갈|둘\s*중|아니면")
"""Words of a guess that takes no side: "46인가 48인가 헷갈려"."""
TOGETHER: Final = re.compile(r"(?:둘|두\s*개|그거|이거|다)\S*\s*(?:더하|더해|합|모으|모아)")
"""Are those that were found put together?"""
_WHY_NOT_OPERATION: Final = re.compile(r"왜\s*(?:더하|빼|곱하|나누)면\s*안")
_WROTE: Final = re.compile(r"썼|쓰|써|적[었어]|거꾸로|바[뀌꿔꼈]")
_SAID_WRONG: Final = re.compile(r"틀[렸리린]|아니라[고는네]|안\s*맞")
"""The page did not take a number."""
_NEXT: Final = re.compile(
    r"\W*(?:이제\s*)?(?:(?:그\s*)?(?:다음|담)(?:은|에는|에|엔)?\s*(?:뭐|뭘|어떻게|머)?\s*(?:해|해야\s*[돼되]|하지|하면\s*돼)?|이제\s*뭐\s*해)(?:요)?\W*"
)
NOT_TAUGHT: Final = re.compile(r"안\s*배[웠우]|못\s*배[웠우]|(?:처음|첨)(?!부터)")
"""It was not taught yet."""
TOO_BIG: Final = re.compile(
    r"(?:숫자|수)[가이는도]?\s?.{0,6}[커크큰]|자리.{0,6}(?:처음|첨)|(?:[백천만]|[세네]\s*자리|큰\s*수)\S{0,3}\s*.{0,6}(?:무서|무섭|겁|싫|떨)"
)
"""The numbers are felt to be too large."""
TOO_MUCH: Final = re.compile(
    r"너무\s*(?:많|길|복잡|크|커)|(?:작은|조그만|간단한|짧은|쉬운)\s*(?:거|걸|것|그림)|작게|조그맣게|조금만\s*그"
)
"""What was shown is too much at once."""
_WHY_ELSE: Final = re.compile(
    r"\d|알려|가르|말해|말\s*안|해야|하는데|배[우웠]|공부|힌트|올[려린리림]|받아|빌[려리린]|자리|십|더하|빼|곱|나[누눠]|먼저|부터|못\s*[해하]|싫|너[는가]?\s|넌"
)
"""Words of a question that is not why a guess is right or wrong."""
_EXAMPLE: Final = re.compile(
    r"예시|예를\s*(?:들|하나)|보기로\s"
    r"|(?:딴|다른|비슷한|쉬운|같은)\s*(?:문제|거|걸|것|숫자|수)\S{0,2}\s*.{0,6}(?:푸는|풀이|하는)\s*(?:거|것|걸|법|방법|모습)"
    r"|(?:딴|다른|비슷한|쉬운|같은)\s*(?:문제|걸|거|숫자|수)(?:으로|로)\s*.{0,6}(?:보여|풀어)"
    r"|(?:딴|다른|비슷한|쉬운|같은)\s*(?:문제|숫자|수)(?:으로|로)\s*.{0,6}(?:설명|알려|가르)"
)
"""Words that want another problem worked out."""
ABOUT_TASK: Final = frozenset(
    {"open_help", "open_guess", "open_why", "column", "step", "so_far", "explain", "worked_example"}
)
"""Readings of a message that is about the task in hand."""
_SHOWN_BY: Final = frozenset({"solve", "ordinal", "again", "more", "why", "easier", "picture", "judge"})
"""Asks after which what was explained last is in steps."""


_TWO_DIGITS: Final = 10
_SHORT_WHY: Final = 20


def question_on_task(message: str, board: Board, opened: Sequence[Problem]) -> str | None:
    """A short question about the sum in hand: which operation it is, whether a guess fits, where it went wrong."""
    said, before, in_hand = message.strip(), board.get("ask", ""), opened or board.get("problem")
    if _OPERATION.fullmatch(said) and (in_hand or board.get("expression")):
        return "which_operation"
    if before == "exercise_answer" and board.get("problem") and _WHERE_WRONG.fullmatch(said):
        return "open_why"
    if in_hand and not board.get("concept") and _EXAMPLE.search(message) and not read_expressions(message):
        return "worked_example"
    return _question_on_open(message, board, opened) if opened else None


def _question_on_open(message: str, board: Board, opened: Sequence[Problem]) -> str | None:
    """A short question that only the open task can be meant by."""
    said, before = message.strip(), board.get("ask", "")
    if (
        written_turned(message, opened[0])
        or (before == "open_guess" and _FITS.fullmatch(said))
        or concludes_wrongly(message, opened[0]) is not None
    ):
        return "open_guess"
    if before in ABOUT_TASK and _FOUND.search(said) and not read_expressions(message):
        return "open_found"
    values = [one.value for one in numbers_in(message)]
    if len(values) > 1 and opened[0].answer in values and UNDECIDED.search(message):
        return "open_guess"
    if _counts_on([one for one in values if one is not None], opened[0]):
        return "open_count"
    if _SAID_WRONG.search(message) and not read_expressions(message) and wrong_result(opened[0], message) is not None:
        return "open_guess"
    told_first = _TOLD_FIRST.match(message) is not None
    asks_why = (
        act_of(message) == "why" and values == [opened[0].answer] and not read_expressions(message) and not told_first
    )
    wrong = before in ABOUT_TASK and _WHERE_WRONG.fullmatch(said)
    after_guess = before in ("open_guess", "open_why") and act_of(message) == "why" and len(said) <= _SHORT_WHY
    if (asks_why and opened[0].answer >= 2) or wrong or (after_guess and not _WHY_ELSE.search(said)):
        return "open_why"
    return "open_guess" if holds_out_answer(message, opened[0]) or groups_told(message, opened[0]) else None


def groups_told(message: str, problem: Problem) -> int | None:
    """So many groups or times as the answer of a quotient, right or not: "6번", "5번 뺐어?"."""
    said = _GROUPS_TOLD.fullmatch(in_digits(message)) if problem.op == "/" else None
    return int(said[1]) if said is not None else None


def is_wrong_guess(problem: Problem, message: str, board: Board) -> bool:
    """Whether a number alone is a wrong answer of a known kind, rather than a step of a way that the child is on."""
    guess = guessed_number(message)
    on_the_way = board.get("found", {}).get(problem.expression) or board.get("ask") in ("step", "column", "so_far")
    if guess is None or on_the_way or len(str(guess)) != len(str(problem.answer)) or guess == problem.answer:
        return False
    return bool(malrules_giving(problem, guess))


def written_turned(message: str, problem: Problem) -> bool:
    """Whether the right answer is held out beside the same two digits the other way round."""
    values = {one.value for one in numbers_in(message)}
    tens, ones = divmod(problem.answer, _TWO_DIGITS)
    turned = ones * _TWO_DIGITS + tens
    if not 0 < tens < _TWO_DIGITS or tens == ones or turned in (problem.a, problem.b):
        return False
    return {problem.answer, turned} <= values and _WROTE.search(message) is not None


def holds_out_answer(message: str, problem: Problem) -> bool:
    """Whether a message begins or ends with the right answer of the open task, whatever else it tells: "8인가... 83";
    or has no other number and asks for nothing: "그럼 244겠네". An answer of one digit may be a step, so that it counts
    only at the end, and not where the task names it."""
    values, answer = [one.value for one in numbers_in(message) if one.value is not None], problem.answer
    own = {problem.a, problem.b}
    if any(one.right_one and one.op == problem.op and {one.left, one.right} == own for one in claims_in(message)):
        return problem.op in "+x" or not read_expressions(message)
    if (told := _TOLD_FIRST.match(message)) is not None and int(told[1]) == answer not in (problem.a, problem.b):
        return answer >= _TWO_DIGITS or not read_expressions(message)
    decided = _DECIDED.search(message)
    if decided is not None and int(decided[1]) == answer:
        return not read_expressions(message)
    if 0 in own and answer in own and values == [answer]:
        return _UNCHANGED.search(message) is not None and not read_expressions(message)
    if answer == 0 and values[-1:] == [0] and _NOTHING.search(message):
        return not read_expressions(message)
    if problem.op == "/" and values == [answer] and _GROUPS_TOLD.fullmatch(in_digits(message)):
        return True
    if values == [answer] and answer >= _TWO_DIGITS and answer not in (problem.a, problem.b):
        return act_of(message) in ("tell", "whether") and not _COUNTED.search(message) and not read_expressions(message)
    concluded = CONCLUDED.search(message) if values[-1:] == [answer] else None
    if concluded is not None and int(concluded[1]) == answer and not read_expressions(message):
        return True
    if len(values) < 2 or (
        values[-1] != answer and any(same_value(one, [problem]) for one in read_expressions(message))
    ):
        return False
    ends = (values[0], values[-1]) if answer >= _TWO_DIGITS else (values[-1],)
    return answer in ends and answer not in (problem.a, problem.b)


def concludes_wrongly(message: str, problem: Problem) -> int | None:
    """The number at the end of a message that a wrong procedure gives for the open task: "5개 지웠는데 9개?". None for
    a number that is no claim, or for one that stands alone."""
    end, read = CONCLUDED.search(message), read_expressions(message)
    if end is None or any(same_value(one, [problem]) for one in read):
        return None
    given = int(end[1])
    if any(one.right and one.claimed == given for one in read):
        return None  # what a step comes to
    others = [one.value for one in numbers_in(message[: end.start(1)]) if one.value is not None]
    own = {problem.a, problem.b, problem.answer}
    if not others or given in own or problem.answer in others or len(str(given)) != len(str(problem.answer)):
        return None
    return given if malrules_giving(problem, given) else None


def _counts_on(values: Sequence[int], problem: Problem) -> bool:
    """Whether numbers are the steps of counting on by one of those of a product or quotient, to the end."""
    steps = {after - before for before, after in pairwise(values)}
    if problem.op == "/" and len(values) > 2 and steps == {-problem.b} and values[-1] == 0:
        return True
    counted = len(values) > 2 and problem.op in "x/" and len(steps) == 1 and steps <= {problem.a, problem.b}
    return counted and values[-1] == (problem.answer if problem.op == "x" else problem.a)


def goes_onward(message: str, board: Board, opened: Sequence[Problem]) -> str | None:
    """What a short message goes on with: what was done so far, the hints or the steps that were shown ("next", "one
    more"), what was said, in fewer words, or the operation ("why not add?")."""
    said = message.strip()
    if opened and was_right(board, opened[0]) and _NEXT_ONE.fullmatch(said):
        return "open_help" if re.search(r"다음|담", said) else "give_problem"
    if problems_in_hand(board, opened) and _SO_FAR.search(said) and not names_days(said):
        return "so_far"
    if _SHORTER.fullmatch(said):
        return "shorter"
    if _WHY_NOT_OPERATION.search(said) and (opened or board.get("expression") or board.get("problem")):
        return "which_operation"
    follows = _NEXT.fullmatch(said) is not None
    if not follows and not _ONE_MORE.fullmatch(said):
        return None
    return _goes_on(message, board, opened, follows=follows)


def _goes_on(message: str, board: Board, opened: Sequence[Problem], *, follows: bool) -> str | None:
    """What "next" or "one more" goes on with."""
    before = board.get("ask", "")
    if follows and opened and not before:
        return "open_help"
    if before == "exercise_answer" and board.get("offer"):
        return "agree"
    if before == "exercise_help" or (before in ABOUT_TASK and board.get("problem")):
        return "exercise_help"
    if before in ABOUT_TASK and opened:
        found = board.get("found", {}).get(opened[0].expression)
        if before not in ("column", "step") and not (before == "so_far" and found):
            return "open_help"
        leads_on = before == "so_far" or not column_words(opened[0], message)
        return "so_far" if follows and found and leads_on else None
    return "ordinal" if follows and before in _SHOWN_BY and board.get("expression") else None


def was_right(board: Board, problem: Problem) -> bool:
    """Whether the child has just been told that its guess at the open task is right."""
    return board.get("ask") in ("open_guess", "open_why") and board.get("given") == problem.answer


def same_value(expression: Expression, opened: Sequence[Problem]) -> bool:
    return any(expression.value == one.answer for one in opened)


def guess_at(message: str, expressions: Sequence[Expression], opened: Sequence[Problem]) -> int | None:
    """The number that is held out as the answer of the open task."""
    for one in expressions:
        if same_value(one, opened):
            return None if one.claimed is None else int(one.claimed)
    if expressions:
        return None
    if (concluded := CONCLUDED.search(message)) is not None:
        return int(concluded[1])
    values = [one.value for one in numbers_in(message) if one.value is not None]
    claims = len(values) == 1 and CLAIMS.search(message) and "보다" not in message
    if "보다" in message:
        return None
    return values[0] if claims else guessed_number(message)
