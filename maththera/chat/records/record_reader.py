"""Reads a Korean question about records. A follow-up takes what it leaves open from the question before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, pairwise, zip_longest
from typing import Final

from maththera.chat.coach.text_templates import fill_template
from maththera.chat.records.follow_up_questions import Heard, merged
from maththera.chat.records.record_question import Fault, RecordQuestion
from maththera.chat.records.record_restrictions import STRUCTURES
from maththera.chat.records.record_words import RecordWords
from maththera.chat.records.spoken_messages import SpokenMessage, read_message
from maththera.korean.morphemes import morphemes
from maththera.korean.word_lists import usual_spelling
from maththera.store.personal_data.student_names import mention_pattern

_WITH_NAME: Final = r"(?:이(?=[가는의랑한말네도만]|\s|$|,))?"
"""The 이 after a name that ends in a consonant: 하늘이가."""
_EXCEPT: Final = re.compile(r"\s*(?:이)?(?:은|는)?\s*(?:말고|빼고|제외)")
_PERSON: Final = re.compile(
    "(?:이|가|이가|은|는|이는|의|이의|이랑|랑|도)?\\s*"
    "(?:학생|어린이|기록|정답|오답|오류|점수|성적|어때|이번|지난|어제|오늘|몇|틀|맞|보고|학습|문제|도 |는\\?|는$)"
)
"""Matches what stands after a child's name."""
_NOUN_NAME: Final = re.compile(
    r"\s*(하늘|은하|보라|가을|여름|바다|나무|슬기|이슬|한별|한결|가람|나래|미래|사랑|소망|진주|수정|장미|초롱|다솜|보람|누리|마루|단비|햇살|노을"
    r"|구름|우주|유리|정의|지혜|은혜|평화|미소|소라|민주|찬미|온유|태양)(?:이)?(?:의|은|는|가|도)?\s+"
    r"(?=\S*\s*(?:\S+\s+)?(?:기록|점수|성적|정답률|오답률|틀|맞|몇|어때|왜|얼마))"
)
"""A name that is also a noun, at the beginning of a question about how somebody does."""
_HOW_IT_DOES: Final = re.compile("왜 ?틀|틀[리렸려]|어려워|힘들어|실수|약[하한해]|못 ?[하해]|잘 ?[하해]")
_ID: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}[-_]?\d+(?![A-Za-z\d])")
"""A learner's id; with one of `_SCORES` the message asks for records, wherever it wants them to be sought."""
_SCORES: Final = re.compile("성적|점수|등수|정답률|오답률|기록|틀린 ?문제")
_PARTICLES: Final = ("JKS", "JX", "JKG", "XSN")
_LONGEST_NAME: Final = 4
_SHORTEST_WITH_IT: Final = 2
"""Letters of a name above which the 이 at its end is none of it: 서연이."""
_SAID_LENGTH: Final = 40
"""A message up to so many characters may continue the question before without naming a measure."""
_AGAIN_WITHOUT: Final = re.compile(
    r"\s*(?:그럼|그러면|만약|만약에)?\s*(?:이)?\s*(?:는|은)?\s*(?:말고|빼고|제외하고|제외)"
    r"(?:는|요|은)?\s*(?:다시)?\s*(?:계산|보|하|구하|세|평균|나머지)?\S{0,6}\s*(?:줘|주세요|봐|어때요?|얼마\S*|몇\S*)?\s*[?？]?\s*"
)
"""Matches words that exclude the learner named before them from the count."""
_LEFT_OUT: Final = re.compile(
    r"(?:말고|빼고|제외하고|제외)\s*(?:낸|한|구한|계산한|센|세신|말한|본|나온)\s*(?:거|것|건|값|평균|수)\S{0,6}\W*$"
)
"""Matches a question whether the learner named before it was excluded: "도윤이 빼고 낸 거예요?"."""
_THE_OTHERS: Final = re.compile(
    r"\s*(?:그럼|그러면|그리고)?\s*(?:다른|나머지|딴) ?(?:아이|애|학생|친구)(?:들)?(?:은|는|도)?\s*"
    r"(?:어때|어떤가|어떻|정답률|기록|있)?\S{0,5}\s*[?？]?\s*"
)
_AS_MUCH: Final = re.compile("그만큼|이만큼|만큼|그 ?정도|비슷하게|똑같이")
_NO_LETTER: Final = re.compile("[^가-힣A-Za-z]")
_STILL_OTHERS: Final = re.compile(r"보다|비교|그냥|정도만|대충|평균|라도|살짝|차이")
"""What asks for the records of others once more, after they were declined."""
_EACH: Final = re.compile("(?:요일|시간대|월|달|날짜|일|단원|연산|원인|유형|학생|아이) ?(?:별|마다)")
_AGAIN: Final = re.compile("몇|얼마|다시|그래서|그러니까|한 ?번 ?더")
"""Matches a request for what the previous answer already told."""
_WHY: Final = re.compile("(?:무엇|뭐|뭣) ?때문")
"""Words that ask for a reason although they look like a question about a meaning."""
_WRONG_PROBLEM: Final = re.compile("틀[린리렸]\\S* ?(?:문제|식|거|것)")
_OF_STUDIES: Final = re.compile("논문|문헌|연구")
_BESIDE_A_NAME: Final = 5
"""Letters beside a name that carry no question: "아 하늘이는요?"."""
_NAMING: Final = frozenset({"NNG", "NNP", "SL", "SN"})
"""The tags of nouns and numbers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of a message. `place`: the row of the previous answer that it is about; None if it is about none."""

    question: RecordQuestion
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads questions. `names`: learner's name → id; `about`: the child that the conversation is about; `guardian`:
    questions about other people's children are refused."""

    words: RecordWords
    names: Mapping[str, str]
    today: date
    about: str | None = None
    guardian: bool = False

    def read(self, message: str, before: RecordQuestion | None = None) -> Reading | None:
        """The reading of one message after the question `before`; None if it asks nothing about records."""
        text = usual_spelling(message)
        children, without, rest = self._children(text)
        said = read_message(self.words, rest, before, self.today)
        if before is not None and (counted := self._of_counted(children, without, rest, before)) is not None:
            return Reading(counted)
        stranger = "" if children else self._stranger(rest)
        of_id = _ID.fullmatch(stranger) is not None
        of_stranger = of_id or (stranger and _HOW_IT_DOES.search(rest) and not _OF_STUDIES.search(rest))
        if not (children or of_stranger) and self._is_elsewhere(said, rest, before):
            return None
        if before is not None and before.fault == "others" and not children and _STILL_OTHERS.search(rest):
            return Reading(replace(before, notes=()))
        fault, about = self._fault(said, stranger, rest)
        going_on = before is not None and len(text) <= _SAID_LENGTH
        alone = bool(children) and len(_NO_LETTER.sub("", rest)) <= _BESIDE_A_NAME
        unread = self._unread(said.text)
        own = self.about is not None or bool(self.words.found("everybody", rest))
        compared = len(children) > 1 and self.words.found("verdict", rest)
        asked = said.strong or alone or compared or (children and said.anything) or (going_on and said.changes)
        wished = said.wish not in (None, "why", "certain") or bool(said.weak or (said.spans and said.by))
        asked = asked or (own and wished)
        letter = said.wish == "letter"
        if unread and not (children or going_on or fault or said.measure or said.spans or letter):
            return None  # a noun that no record knows: about something else
        if children and not asked and not fault and (unheld := self.words.unheld(rest)):
            fault, about = "unheld", " ".join(unheld)
        told = fault in ("others", "diagnosis", "erasing", "unheld")
        told = told or (fault == "unknown_child" and (of_id or _HOW_IT_DOES.search(rest) is not None))
        if not (asked or told or (fault and (said.wish or children))):
            return None
        start = RecordQuestion(children=(self.about,) if self.about else ())
        if told:
            return Reading(replace(before or start, children=children or (before or start).children, notes=(),
                                   fault=fault, about=about))  # fmt: skip
        question, place = merged(self.words, Heard(said, children, rest), before, start)
        notes = self._notes(said, rest, unread)
        again = bool(place is not None or children or said.strong or _AGAIN.search(rest))
        told_again = bool(again or self.words.found("verdict", rest) or self.words.found("short", rest))
        if before is not None and not told_again and _is_same(question, before):
            fault, notes = "same", ()
        return Reading(replace(question, fault=fault, about=about, notes=notes), place)

    def learners(self, message: str) -> tuple[str, ...]:
        """The caller's learners that a message names."""
        return self._children(usual_spelling(message))[0]

    def _is_elsewhere(self, said: SpokenMessage, text: str, before: RecordQuestion | None) -> bool:
        """Whether a message is about papers, the web or words. "두 번째는 뭐야?" continues the question before."""
        of_wrong = said.measure == "wrong" and (said.wish == "problems" or _WRONG_PROBLEM.search(text) is not None)
        if of_wrong or (before is not None and (said.rank or said.order or self.words.found("row", text))):
            text = self.words.words.definition.sub(" ", text)
        text = _WHY.sub(" ", text)
        told = _OF_STUDIES.search(text) or not self.words.found("diagnosis", text)
        return bool(self.words.found("elsewhere", text) and told)

    # --- whom -----------------------------------------------------------------------------------------------------

    def _of_counted(
        self, children: tuple[str, ...], without: tuple[str, ...], text: str, before: RecordQuestion
    ) -> RecordQuestion | None:
        """The question before without one learner, or whether it counted that learner: "하늘이 빼고 계산하면요?"."""
        alone = before.wish if before.wish in ("days", "overview") else "figures"
        if before.children and not self.guardian and is_of_the_others(text):
            return replace(before, wish=alone, children=(), without=before.children, by="child", order=None, limit=None,
                           notes=(), fault=None, among=None)  # fmt: skip
        of_days = before.wish == "days" or before.measure in ("answered", "minutes")
        if children and before.children and of_days and is_as_much(text):
            both = tuple(dict.fromkeys([*before.children, *children]))
            return replace(before, wish="days", children=both, mentioned=both[-2:], by="child", notes=(), fault=None)
        if len(without) == 1 and not children and _LEFT_OUT.search(text):
            return replace(before, wish="left_out", mentioned=without, notes=(), fault=None)
        if without and not children and _AGAIN_WITHOUT.fullmatch(text):
            kept = tuple(child for child in before.children if child not in without)
            wish = "figures" if before.wish in ("included", "left_out") else before.wish
            return replace(before, wish=wish, children=kept, without=without, notes=(), fault=None, among=None)
        if len(children) == 1 and self.words.found("included", text) and len(text) <= _SAID_LENGTH:
            return replace(before, wish="included", mentioned=children, notes=(), fault=None)
        return None

    def _children(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """The learners that a text names, those that it excludes, and the text without them."""
        found: dict[int, str] = {}
        without: list[str] = []
        for name, child in sorted(self.names.items(), key=lambda pair: -len(pair[0])):
            pattern = re.compile(mention_pattern(name) + _WITH_NAME, re.IGNORECASE)
            while match := pattern.search(text):
                if _EXCEPT.match(text, match.end()):
                    without.append(child)
                else:
                    found[match.start()] = child
                text = f"{text[: match.start()]}{' ' * (match.end() - match.start())}{text[match.end() :]}"
        return tuple(dict.fromkeys(found[place] for place in sorted(found))), tuple(without), text

    def _stranger(self, text: str) -> str:
        """A name that belongs to none of the learners; "" if there is none."""
        if named := _NOUN_NAME.match(text):
            return named[1]
        if (named := _ID.search(text)) and _SCORES.search(text):
            return named[0]
        how = _HOW_IT_DOES.search(text)
        words = morphemes(text)
        for each, after in zip_longest(words, words[1:]):
            person = each.tag == "NNP" and 2 <= len(each.form) <= _LONGEST_NAME and re.fullmatch("[가-힣]+", each.form)
            of_it = how and after is not None and after.tag in _PARTICLES and after.start == each.end
            if person and (of_it or _PERSON.match(text, each.end)):
                return each.form.removesuffix("이") if len(each.form) > _SHORTEST_WITH_IT else each.form
        return ""

    # --- what is not answered -------------------------------------------------------------------------------------

    def _fault(self, said: SpokenMessage, stranger: str, text: str) -> tuple[Fault | None, str]:
        """The reason why a question cannot be answered, and the words that show it."""
        found = self.words.found
        others = found("others", text) or (found("others_of_guardian", text) if self.guardian else "")
        faults: tuple[tuple[Fault, str], ...] = (
            ("absent", found("absent", text)),
            ("others", others),
            ("erasing", found("erasing", text)),
            ("diagnosis", found("diagnosis", text)),
            ("no_such_day", said.unread),
            ("unknown_child", stranger),
        )
        return next(((fault, about) for fault, about in faults if about), (None, ""))

    def _unread(self, text: str) -> tuple[str, ...]:
        """The nouns and numbers in a text without names and days that nothing has read, in order. `light` words of
        records.yaml do not count."""
        taken = [False] * len(text)
        for pattern in chain(self.words.patterns(), STRUCTURES):
            for match in pattern.finditer(text):
                taken[match.start() : match.end()] = [True] * (match.end() - match.start())
        names = (each for each in morphemes(text) if each.tag in _NAMING and (each.tag == "SN" or len(each.form) > 1))
        found = (each.form for each in names if not any(taken[each.start : each.end]))
        return tuple(dict.fromkeys(form for form in found if not self.words.words.light.fullmatch(form)))

    def _notes(self, said: SpokenMessage, text: str, unread: Sequence[str]) -> tuple[str, ...]:
        """Sentences about what was said but cannot be taken into account."""
        texts, notes = self.words.texts, self.words.unheld(text)
        if said.unknown:
            notes.append(fill_template(texts.unknown_time, about=said.unknown))
        each = [match[0] for match in _EACH.finditer(said.text)]
        if len(each) > 1:
            notes.append(fill_template(texts.one_group, about=", ".join(each[1:])))
        if self.words.found("chart", text):
            notes.append(texts.as_table)
        if told := _restricting(said.text, unread):
            notes.append(fill_template(texts.unheld, about=", ".join(told)))
        return tuple(notes)


def _restricting(text: str, unread: Sequence[str]) -> list[str]:
    """The unread words that may limit which records are meant: they stand before another noun or a place or time.
    Others are ordinary talk: "도움이 필요한"."""
    told = morphemes(text)
    before = {one.form for one, after in pairwise(told) if after.tag in _NAMING or after.tag in ("JKG", "JKB", "XSN")}
    return [form for form in unread if form in before or form.isdecimal()]


def is_of_the_others(text: str) -> bool:
    """Whether a message asks about all learners except the one just mentioned: "다른 아이는요?"."""
    return _THE_OTHERS.fullmatch(text) is not None


def is_as_much(text: str) -> bool:
    """Whether a message asks if another child did as much: "민수도 그만큼 했나요?"."""
    return _AS_MUCH.search(text) is not None


def _is_same(question: RecordQuestion, before: RecordQuestion) -> bool:
    """Whether a follow-up changes nothing in the question."""
    same = replace(
        question, notes=before.notes, mentioned=before.mentioned, verdict=before.verdict, also=before.also,
        spans_before=before.spans_before, short=before.short, fault=before.fault, about=before.about,
    )  # fmt: skip
    return same == before
