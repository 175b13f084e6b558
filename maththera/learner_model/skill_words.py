"""What is said of a skill, to an adult and to the child. Nothing is called understood that was not shown."""

from maththera.knowledge.knowledge import KNOWN, Knowledge, SkillKnowledge, Word
from maththera.knowledge.skills import STRANDS, Strand


def told_word(knowledge: Knowledge, skill_id: str) -> Word:
    """The word of a skill as it may be told: it is expected only on the child's own right answers, more of them right
    than wrong, to the skill itself or, where it was never asked, to one that stands directly on it."""
    known = knowledge[skill_id]
    if known.word != "expected" or _mostly_right(known):
        return known.word
    if known.tries:
        return "practising"
    above = (one for one in knowledge.skills.dependents(skill_id) if skill_id in knowledge.skills[one].requires)
    return "expected" if any(_mostly_right(knowledge[one]) for one in above) else "untested"


def said_to_adults(knowledge: Knowledge, skill_id: str) -> str:
    """One sentence in 해요체, with what was asked where that is all there is to say."""
    known = knowledge[skill_id]
    match told_word(knowledge, skill_id):
        case "untested" if known.aided:
            return f"도움을 받아 {known.aided}번 풀어 봤어요. 혼자서는 아직 안 물어봤어요."
        case "untested":
            return "아직 안 물어봤어요."
        case "expected":
            return f"{_asked(known) if known.tries else '바로 위 단계를 해내서'} 할 수 있을 것으로 봐요."
        case "beginning":
            return f"배우기 시작했어요. {_asked(known)}"
        case "practising":
            return f"연습하고 있어요. {_asked(known)}"
        case "shown":
            return "할 수 있어요."
        case "kept":
            return "오래 기억해요."
        case "slipping":
            return "다시 볼 때예요."


def said_to_children(knowledge: Knowledge, skill_id: str) -> str:
    """One sentence in 반말, without numbers."""
    return {
        "untested": "아직 안 물어봤어.",
        "expected": "할 수 있을 거야.",
        "beginning": "이제 배우기 시작했어.",
        "practising": "지금 연습하고 있어.",
        "shown": "할 수 있어!",
        "kept": "오래 기억하고 있어!",
        "slipping": "다시 볼 때야.",
    }[told_word(knowledge, skill_id)]


def next_skills(knowledge: Knowledge) -> list[str]:
    """For each strand the first needed skill that the child is not said to be able to do; instead of one that lacks
    what it stands on, the lowest that it lacks. Only of strands in which something was asked; of adding where nothing
    was."""
    found: dict[str, None] = {}
    for strand in strands_begun(knowledge) or STRANDS[:1]:
        lacking = first_lacking(knowledge, strand)
        if lacking is not None:
            found.setdefault(_lowest_lacking(knowledge, lacking))
    return [*found]


def strands_begun(knowledge: Knowledge) -> list[Strand]:
    """Those in which something was asked."""
    skills = knowledge.skills
    return [strand for strand in STRANDS if any(knowledge[one.skill_id].tries for one in skills.of_strand(strand))]


def first_lacking(knowledge: Knowledge, strand: Strand) -> str | None:
    """The first needed skill of a strand that the child is not said to be able to do; None where there is none. One
    that only follows from harder ones it can do comes after those that it lacks."""
    needed = [one.skill_id for one in knowledge.skills.of_strand(strand) if one.needed]
    open_ones = [skill_id for skill_id in needed if not _can(knowledge, skill_id)]
    asked_for = (one for one in open_ones if knowledge[one].tries or not knowledge[one].known)
    return next(asked_for, next(iter(open_ones), None))


def _lowest_lacking(knowledge: Knowledge, skill_id: str) -> str:
    asked = [one for one in knowledge.skills.ancestors(skill_id) if knowledge[one].tries and not _can(knowledge, one)]
    return min([skill_id, *asked], key=knowledge.skills.order.__getitem__)


def _can(knowledge: Knowledge, skill_id: str) -> bool:
    return told_word(knowledge, skill_id) in KNOWN


def _mostly_right(known: SkillKnowledge) -> bool:
    return 2 * known.right > known.tries


def _asked(known: SkillKnowledge) -> str:
    return f"{known.tries}번 물어봐서 {known.right}번 맞혔어요."
