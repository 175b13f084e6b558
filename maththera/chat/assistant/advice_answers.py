"""Answers that are written in advance, of `configs/chat/assistant`: how to teach, what is known of dyscalculia
(`advice.yaml`), what adults tell of their days with a child (`everyday.yaml`), how the service is used
(`app_help.yaml`).

A trained model (`assistant_model.npz`) tells which of them a message asks for; where it is not sure, as of a message
that goes on with what was said, the message's topics and what it wants to know of them."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.chat.adults.message_kinds import MessageKind
from maththera.chat.adults.not_understood import Near
from maththera.chat.assistant.answer_texts import RESHAPED, reshaped, short_citation
from maththera.chat.assistant.subjects import BETTER, COMMON, DO, EVIDENCE, Subjects, Text
from maththera.chat.messages.ask_model import AskModel
from maththera.chat.records.record_question import Told
from maththera.config_files import ConfigError, ConfigFile
from maththera.json_types import JsonObject
from maththera.korean.word_lists import usual_spelling

_SPACES: Final = re.compile(r"[\s.!~ㅠㅜㅋㅎ,]+")
_LETTER: Final = re.compile(r"\w")
_FEWEST_LETTERS: Final = 6
"""A message of fewer goes on with what was said, or says too little by itself."""
_ENOUGH_LETTERS: Final = 10
"""A message of fewer is taken for nothing by a small share."""
_OFFERED: Final = 3
_BRIEF: Final = 14
"""Letters of a message that may leave out what it is about."""
_GOING_ON: Final = 30
"""Letters of a message that may go on with an answer."""
_KEPT: Final = 8
"""Topics that a conversation keeps."""
_SOURCES: Final = "sources"
NEAR: Final = "near"
"""Of a subject in place of an answer: what can be asked of it."""
TOLD: Final = "told"
"""Of an answer in place of the same once more: that it was told, and what else can be asked."""
_LONGEST: Final = 300
"""Letters that are read."""
LIKELY: Final = 0.05
"""The model's share of one from which a message is taken for what it says. Of lines of a writer of whom the model has
none, 7 of 10 with a share of 0.05 to 0.09 are taken for their own answer, and some others for one close to it."""
_OUTSTANDING, _SMALLEST = 3.5, 0.015
"""How much larger than the next a smaller share is that counts as much, and the smallest of these: 7 of 10 lines of
such a writer are taken for their own answer then."""
_APART: Final = 1.5
"""A share this many times the next one of its kind is enough to tell the answer, after the question that it answers."""
CLEAR: Final = 0.12
"""The share from which it is so beside words that point elsewhere: 9 of 10."""
EVERYDAY: Final = 0.08
"""The share from which it is taken for what is said of days with a child, of which there are fewer lines."""
EVERYDAY_CERTAIN: Final = 0.4
"""The share of these from which records and what was spoken of say nothing else of it."""
_NEAR, _NEAREST = 0.03, 2
"""The share from which a question is offered where nothing is understood, and how many are."""
CERTAIN: Final = 0.7
"""The share from which what was spoken of before says nothing else of it."""
_RECORDS, _OTHER = "records", "other"
"""What the model knows besides the answers: questions of the records, and wishes for something else."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(Text):
    """See the heads of advice.yaml, app_help.yaml and everyday.yaml."""

    of_child: bool = False
    leads: bool = False
    records: Told | None = None
    of_class: bool = False
    about: tuple[str, ...]
    acts: frozenset[str] = frozenset()
    ask: str


class _Help(_Strict):
    topics: dict[str, re.Pattern[str]]
    answers: dict[str, Answer]


class _Advice(_Help):
    """`elsewhere`: messages that want something found, made or saved. `counted`: those that want figures. `figured`:
    topics beside which figures of the child stand. `vague`: topics that count half, as they stand beside others."""

    elsewhere: re.Pattern[str]
    counted: re.Pattern[str]
    figured: frozenset[str]
    vague: frozenset[str]
    acts: dict[str, re.Pattern[str]]
    sources: dict[str, str]
    frame: str
    unsourced: str
    cited: str
    read_as: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a message asks: `name` of its answer, with ":sources" for what that rests on; `topics` of the conversation,
    `counted` for figures of the records, `served`: of the service itself, `sure`: by more than a vague topic, `clear`:
    whatever else its words point to, `certain`: whatever was spoken of, `goes_on`: more of that,
    `everyday`: of days with a child."""

    name: str
    topics: tuple[str, ...]
    counted: bool
    served: bool
    sure: bool
    clear: bool = False
    certain: bool = False
    goes_on: bool = False
    everyday: bool = False

    @property
    def near(self) -> bool:
        """Whether it is no answer, but what can be asked of a subject."""
        return self.name.endswith(f":{NEAR}")

    @property
    def of_records(self) -> bool:
        """Whether it is no answer, but what can be asked of the records that were told."""
        return self.name == f":{NEAR}"

    def board(self) -> JsonObject:
        """For the next turn."""
        return {"name": self.name.partition(":")[0], "topics": [*self.topics]}


@dataclass(frozen=True, slots=True)
class ToldOf:
    """An answer in whose place the records tell: `records`: what they tell; `of_class`: of all where none is named."""

    name: str
    records: Told
    of_class: bool


@dataclass(frozen=True, slots=True)
class AnswerBook:
    """The files, checked."""

    file: _Advice
    help: _Help
    everyday: _Help
    answers: Mapping[str, Answer]
    model: AskModel
    subjects: Subjects

    @classmethod
    def load(cls, home: Path) -> "AnswerBook":
        """ConfigError names every fault."""
        folder = home / "configs" / "chat" / "assistant"
        advice, served = ConfigFile.read(folder / "advice.yaml"), ConfigFile.read(folder / "app_help.yaml")
        file, help_ = advice.parse(TypeAdapter(_Advice)), served.parse(TypeAdapter(_Help))
        told = ConfigFile.read(folder / "everyday.yaml")
        everyday = told.parse(TypeAdapter(_Help))
        subjects = Subjects.load(home, frozenset({**help_.answers, **file.answers, **everyday.answers}))
        cited = {
            key
            for each in (*file.answers.values(), *everyday.answers.values(), *subjects.texts.values())
            for key in each.sources
        }
        faults = [advice.fault(("sources",), f"{key} is missing") for key in sorted(cited - file.sources.keys())]
        faults += [advice.fault(("sources", key), "is cited nowhere") for key in sorted(file.sources.keys() - cited)]
        topics = file.topics.keys() | help_.topics.keys()
        for document, part in ((advice, file), (served, help_), (told, everyday)):
            for name, answer in part.answers.items():
                unknown = [*(set(answer.about) - topics), *(answer.acts - file.acts.keys())]
                faults += [document.fault(("answers", name), f"{each} is no topic or act") for each in sorted(unknown)]
        if faults:
            raise ConfigError("\n".join(faults))
        answers, path = {**help_.answers, **file.answers, **everyday.answers}, folder / "assistant_model.npz"
        model = AskModel.load(path)
        if strange := {*answers, _RECORDS, _OTHER}.symmetric_difference(model.names):
            raise ConfigError(
                f"{path}: train it anew with scripts/train_asks.py assistant; it and the files of answers do not share "
                f"{', '.join(sorted(strange))}"
            )
        return cls(file, help_, everyday, answers, model, subjects)

    def find(self, message: str, before: JsonObject | None = None) -> Asked | None:
        """What a message asks; None for nothing that is written here. `before`: the board of the turn
        before; without a name it has what the records were asked about."""
        text = self._squeezed(message)
        if self.file.elsewhere.search(text):
            return None
        acts = {name for name, pattern in self.file.acts.items() if pattern.search(text)}
        own = self._topics(text)
        earlier, last = (before["topics"], before["name"]) if before else ([], "")
        counted = bool(self.file.counted.search(text))
        brief = len(text) <= _BRIEF
        beside = counted or (before is not None and not last)  # figures are asked for, or records were spoken of
        read, share = self._read(message, CLEAR if beside else LIKELY)
        if read in self.everyday.answers and share < EVERYDAY and not self._stands_out(message):
            read = ""
        name = read if read in self.answers else ""
        if not read or (earlier and brief):
            fitting = self._best(own, earlier, acts, "" if counted and not acts else last, brief=brief)
            name = fitting if not read or self._is_narrower(fitting, name) else name
        if not read and name in self.help.answers and last not in self.help.answers and self._is_of_days(message):
            name = ""
        if last and (_SOURCES in acts or (not name and "why" in acts)) and not _FINDABLE.intersection(own):
            name = f"{last}:{_SOURCES}"
        if not name:
            return None
        said = name.partition(":")[0]
        topics = tuple(dict.fromkeys([*self._about(said), *own, *earlier]))[:_KEPT]
        sure = bool(read) or not self.file.vague.issuperset(set(self._about(said)).intersection(own))
        everyday = said in self.everyday.answers
        surest = EVERYDAY_CERTAIN if everyday else CERTAIN
        clear, certain = bool(read) and share >= CLEAR, bool(read) and share >= surest
        return Asked(name, topics, counted, said in self.help.answers, sure, clear, certain, everyday=everyday)

    def told_of(self, message: str) -> ToldOf | None:
        """The answer that a message asks for, of those in whose place the records tell where a child or a class is
        meant; None for another."""
        name, share = self._read(message, LIKELY)
        answer = self.answers.get(name) if share >= LIKELY else None
        return ToldOf(name, answer.records, answer.of_class) if answer and answer.records else None

    def going_on(self, message: str) -> tuple[str, bool]:
        """What a message asks of the subject of the answer before, "" for one that names a subject, but for a kind that
        stands alone, or asks nothing of the kind; and whether it may ask for figures."""
        text = self._squeezed(message)
        if len(text) > _GOING_ON or self.file.elsewhere.search(text):
            return "", False
        kind, counted = self.subjects.kind(text)
        alone = bool(kind) and self.subjects.kinds[kind].alone
        return (kind, counted) if alone or self.subjects.beside.issuperset(self._topics(text)) else ("", False)

    def of_named(self, message: str) -> Asked | None:
        """The answer to what a message asks of a subject that it names; None for none."""
        text = self._squeezed(message)
        name = self.subjects.own_answer(self.subjects.named(message), self.subjects.kind(text)[0])
        if not name or len(text) > _GOING_ON or self.file.elsewhere.search(text):
            return None
        return Asked(name, self._about(name), False, name in self.help.answers, True)

    def tells_how_common(self, asked: Asked, message: str) -> bool:
        """Whether an answer tells how many have what a message names, of what records do not count."""
        subject = self.subjects.named(message)
        return not self.subjects.is_of_errors(subject) and self.subjects.own_answer(subject, COMMON) == asked.name

    def near(self, message: str, subject: str, *, of_records: bool) -> Asked | None:
        """What can be asked of a subject, or of the records that were told, for a short message that nothing knows."""
        text = self._squeezed(message)
        if not subject or len(text) > _BRIEF or not self.subjects.beside.issuperset(self._topics(text)):
            return None
        if self._read(message, LIKELY)[0] == _OTHER:
            return None
        return Asked(f"{'' if of_records else subject}:{NEAR}", (), False, False, True, goes_on=True)

    def shown_otherwise(self, asked: Asked, subject: str) -> Asked | None:
        """In place of the answer that was just told: the same shown in another way; None where there is none."""
        name = self.subjects.shown_otherwise(subject, asked.name)
        return replace(asked, name=name, goes_on=True) if name else None

    def told_again(self, asked: Asked, subject: str) -> Asked:
        """In place of the answer that was just told: what else can be asked of the subject."""
        return replace(asked, name=f"{asked.name.partition(':')[0]}:{TOLD}:{subject}", goes_on=True)

    def subject(self, asked: Asked, message: str, before: str) -> str:
        """The subject after an answer: its own, or the one `before` where it has none."""
        name = asked.name.partition(":")[0]
        if own := self.subjects.of_answer(name) or ("" if asked.served else self.subjects.named(message)):
            return own
        return before if not asked.served and self.subjects.beside.issuperset(self._about(name)) else ""

    def behind(self, kind: str, subject: str, before: JsonObject | None) -> Asked | None:
        """The answer to what is asked of a subject, or what can be asked of it; None where neither is known. `before`:
        the board of the answer before."""
        last, earlier = (before["name"], before["topics"]) if before else ("", [])
        if kind in RESHAPED:
            name = f"{last}:{kind}" if last else ""
        elif kind == EVIDENCE:
            name = f"{last}:{_SOURCES}" if last else self.subjects.answer(subject, DO)
        else:
            name = self.subjects.answer(subject, kind)
        if not name and not subject:
            return None
        if kind == BETTER and name and name == last:
            name = f"{last}:{_SOURCES}"  # whether what was told is so
        about = self._about(name.partition(":")[0]) if name else ()
        topics = tuple(dict.fromkeys([*about, *earlier]))[:_KEPT]
        return Asked(name or f"{subject}:{NEAR}", topics, False, False, True, True, goes_on=True)

    def _read(self, message: str, least: float) -> tuple[str, float]:
        """What the model takes a message for, with its share; "" for a smaller share than the `least`."""
        if len(_LETTER.findall(message)) < _FEWEST_LETTERS:
            return "", 0.0
        name, share, outstanding = self._first(message)
        likely = share >= least or (outstanding and least <= LIKELY)
        return (name if likely else ""), share

    def _first(self, message: str) -> tuple[str, float, bool]:
        """The ask with the largest share, that share, and whether it stands out from the next."""
        shares = self.model.shares(usual_spelling(message[:_LONGEST]))
        first, second = sorted(shares, key=lambda name: -shares[name])[:2]
        share = shares[first]
        long = len(_LETTER.findall(message)) >= _ENOUGH_LETTERS
        return first, share, long and share >= max(_SMALLEST, _OUTSTANDING * shares[second])

    def _stands_out(self, message: str) -> bool:
        return self._first(message)[2]

    def _is_of_days(self, message: str) -> bool:
        """Whether a message sounds more like days with a child than like the service, whose words it has."""
        return self._read(message, 0.0)[0] in self.everyday.answers

    def _best(
        self, own: Collection[str], earlier: Collection[str], acts: Collection[str], last: str, *, brief: bool
    ) -> str:
        """The answer that has most to do with a message; of equal ones the first. Only a `brief` message is answered by
        the conversation's topics alone."""
        best, most = "", (0.0, 0, 0)
        for name, answer in self.answers.items():
            here = sum(0.5 if topic in self.file.vague else 1.0 for topic in set(answer.about).intersection(own))
            wanted = bool(answer.acts.intersection(acts))
            if not set(answer.about).issubset({*own, *earlier}) or (answer.acts and not wanted and (acts or not last)):
                continue
            inherited = wanted and name != last and not self.file.vague.issuperset(answer.about)
            if not here and not (inherited and brief):
                continue
            if (score := (here, int(wanted and len(answer.acts) == 1), len(answer.about))) > most:
                best, most = name, score
        return best

    def _is_narrower(self, name: str, than: str) -> bool:
        """Whether an answer is about all that another is about, and more."""
        return bool(name and than) and set(self.answers[name].about) > set(self.answers[than].about) > set()

    def _topics(self, text: str) -> dict[str, str]:
        """Topic → the words by which it is known."""
        patterns = {**self.help.topics, **self.file.topics}
        found = ((name, pattern.search(text)) for name, pattern in patterns.items())
        return {name: match[0] for name, match in found if match}

    def offers(self, message: str) -> list[str]:
        """What was read of a message, and questions near it that have an answer; empty where there are none."""
        own = self._topics(self._squeezed(message))
        shared = {name: len(set(each.about).intersection(own)) for name, each in self.answers.items()}
        near = sorted((name for name, count in shared.items() if count), key=lambda name: -shared[name])[:_OFFERED]
        if not near:
            return []
        words = ", ".join(dict.fromkeys(own[topic] for name in near for topic in self.answers[name].about
                                        if topic in own))  # fmt: skip
        return [self.file.read_as.format(words=words), *(f"- {self.answers[name].ask}" for name in near)]

    def _outstanding(self, message: str, *, served: bool) -> Near | None:
        """The answer of a kind that stands out from the others of its kind, though its share of all is small. It is
        told with the question that it answers."""
        (first, share), (_, next_share) = self._ranked(message, served=served)[:2]
        stands_out = share >= max(_SMALLEST, _APART * next_share)
        return Near(self.answers[first].ask, self.text(first), 1.0) if stands_out else None

    def _ranked(self, message: str, *, served: bool) -> list[tuple[str, float]]:
        """The answers about the service, or all others, each with its share, the largest first."""
        shares = self.model.shares(usual_spelling(message[:_LONGEST]))
        own = [(name, shares.get(name, 0.0)) for name in self.answers if (name in self.help.answers) == served]
        return sorted(own, key=lambda one: -one[1])

    def likeliest(self, message: str, *, served: bool) -> Asked | None:
        """The likeliest answer to a message that surely asks for one: of the service, or of teaching and days with a
        child; None where none is likely."""
        name, share = self._ranked(message, served=served)[0]
        if share < _NEAR:
            return None
        about, everyday = self._about(name), name in self.everyday.answers
        return Asked(name, about[:_KEPT], False, served, True, clear=True, everyday=everyday)

    def nearest(self, message: str, kind: MessageKind | None = None) -> list[Near]:
        """The two questions with an answer that a message comes nearest to; empty where it comes near none. `kind`:
        what it surely wants; of the service only the answers about it are near, of advice only the others."""
        if kind in ("advice", "service") and (surely := self._outstanding(message, served=kind == "service")):
            return [surely]
        own = set(self._topics(self._squeezed(message))) - self.file.vague
        shares = self.model.shares(usual_spelling(message[:_LONGEST]))
        likely = sorted((name for name in self.answers if shares.get(name, 0) >= _NEAR), key=lambda name: -shares[name])
        of_topic = [name for name, one in self.answers.items() if own.intersection(one.about)]
        found = dict.fromkeys([*likely[:_NEAREST], *sorted(of_topic, key=lambda name: -shares.get(name, 0))])
        return [
            Near(self.answers[name].ask, self.text(name), shares.get(name, 0.0))
            for name in [*found][:_NEAREST]
            if self.answers[name].about or shares.get(name, 0.0) >= _NEAR
        ]

    def only(self, message: str) -> Asked | None:
        """The answer that alone has to do with a topic of a brief message, whatever that asks; None where there are
        others."""
        text = self._squeezed(message)
        if self.file.counted.search(text) or self.file.elsewhere.search(text):
            return None
        own = set(self._topics(text)) - self.file.vague
        near = [name for name, one in self.answers.items() if own.intersection(one.about)]
        if len(near) != 1 or len(text) > _BRIEF:
            return None
        return Asked(near[0], self.answers[near[0]].about, False, near[0] in self.help.answers, True)

    def _squeezed(self, message: str) -> str:
        return _SPACES.sub("", usual_spelling(message).casefold())

    def text(self, name: str) -> str:
        """What is said; of a name with ":sources", what it rests on in full; of a subject with ":near", what can be
        asked of it."""
        name, _, sources = name.partition(":")
        if sources.startswith(TOLD):
            return self._told(name, sources.partition(":")[2])
        if sources == NEAR and not name:
            return self.subjects.near_records
        if sources == NEAR:
            subject = self.subjects.subjects[name]
            return "\n".join([self.subjects.near.format(called=subject.called), *self._asks(subject.then.values())])
        answer = self._text(name)
        if sources in RESHAPED:
            return reshaped(answer.text, sources)
        if name in self.help.answers or not answer.advice:
            return answer.text
        full = self.sources(name)
        if not full and name in self.everyday.answers and not sources:
            return answer.text
        if not full:
            return self.file.unsourced if sources else f"{answer.text}\n{self.file.unsourced}"
        if sources:
            return "\n".join([self.file.cited, *(f"- {each}" for each in full)])
        return self.file.frame.format(text=answer.text, sources="; ".join(map(short_citation, full)))

    def _text(self, name: str) -> Text:
        return self.answers.get(name) or self.subjects.texts[name]

    def _about(self, name: str) -> tuple[str, ...]:
        return self.answers[name].about if name in self.answers else ()

    def _told(self, name: str, subject: str) -> str:
        """That an answer was told, and questions of its subject that have another."""
        then = self.subjects.subjects[subject].then.values() if subject else ()
        asks = self._asks(each for each in then if each != name)
        return "\n".join([self.subjects.told, *([self.subjects.asks, *asks] if asks else [])])

    def _asks(self, names: Iterable[str]) -> list[str]:
        """The first questions that lead to these answers."""
        return [f"- {self.answers[each].ask}" for each in dict.fromkeys(names) if each in self.answers][:_OFFERED]

    def is_of_child(self, name: str) -> bool:
        """Whether what the records of the child tell goes before an answer."""
        return name in self.answers and self.answers[name].of_child

    def is_of_helping(self, name: str) -> bool:
        """Whether an answer says what to do with a child's work, and is not only about a feeling, what something is or
        how the service is used."""
        name = name.partition(":")[0]
        own = {**self.file.answers, **self.everyday.answers}.get(name)
        if own is None or not own.advice or self.file.figured.isdisjoint(own.about):
            return False
        return bool(own.acts & _OF_HELPING or not own.acts)

    def leads(self, name: str) -> bool:
        """Whether an answer goes before what the records of the child tell."""
        return name in self.answers and self.answers[name].leads

    def sources(self, name: str) -> tuple[str, ...]:
        """In full."""
        name, _, part = name.partition(":")
        return (
            ()
            if part in (NEAR, *RESHAPED) or part.startswith(TOLD)
            else tuple(self.file.sources[key] for key in self._text(name).sources)
        )


_OF_HELPING: Final = frozenset({"teach", "worry"})
"""Acts of answers that say what to do with a child."""
_FINDABLE: Final = frozenset({"link", "korea", "training"})
"""Topics that have an answer of their own for a question about sources."""
