"""Where the malrules are published."""

from typing import Final

ASHLOCK: Final = "Ashlock (2010), Error Patterns in Computation, 10th ed., Pearson"
BAROODY: Final = "Baroody (1987), Children's Mathematical Thinking, Teachers College Press"
BAROODY_GINSBURG: Final = (
    'Baroody & Ginsburg (1983), The effects of instruction on children\'s understanding of the "equals" sign, '
    "Elementary School Journal 84"
)
BEISHUIZEN: Final = (
    "Beishuizen (1993), Mental strategies and materials or models for addition and subtraction up to 100 in Dutch "
    "second grades, Journal for Research in Mathematics Education 24"
)
BROWN_BURTON: Final = (
    "Brown & Burton (1978), Diagnostic models for procedural bugs in basic mathematical skills, Cognitive Science 2"
)
CAMPBELL_GRAHAM: Final = (
    "Campbell & Graham (1985), Mental multiplication skill: structure, process, and acquisition, "
    "Canadian Journal of Psychology 39"
)
CARPENTER_MOSER: Final = (
    "Carpenter & Moser (1984), The acquisition of addition and subtraction concepts in grades one through three, "
    "Journal for Research in Mathematics Education 15"
)
COX: Final = (
    "Cox (1975), Systematic errors in the four vertical algorithms in normal and handicapped populations, "
    "Journal for Research in Mathematics Education 6"
)
DOMAHS: Final = (
    "Domahs, Krinzinger & Willmes (2008), Mind the gap between both hands: evidence for internal finger-based number "
    "representations in children's mental calculation, Cortex 44"
)
FUSON_1990: Final = (
    "Fuson (1990), Conceptual structures for multiunit numbers: implications for learning and teaching multidigit "
    "addition, subtraction, and place value, Cognition and Instruction 7"
)
FUSON_1992: Final = (
    "Fuson (1992), Research on whole number addition and subtraction, in Grouws (ed.), Handbook of Research on "
    "Mathematics Teaching and Learning, Macmillan"
)
GINSBURG: Final = "Ginsburg (1977), Children's Arithmetic: The Learning Process, Van Nostrand"
KOUBA: Final = (
    "Kouba (1989), Children's solution strategies for equivalent set multiplication and division word problems, "
    "Journal for Research in Mathematics Education 20"
)
MILLER_PAREDES: Final = (
    "Miller & Paredes (1990), Starting to add worse: effects of learning to multiply on children's addition, "
    "Cognition 37"
)
POWER_DAL_MARTELLO: Final = (
    "Power & Dal Martello (1990), The dictation of Italian numerals, Language and Cognitive Processes 5"
)
SIEGLER_1988: Final = (
    "Siegler (1988), Strategy choice procedures and the development of multiplication skill, "
    "Journal of Experimental Psychology: General 117"
)
SIEGLER_SHRAGER: Final = (
    "Siegler & Shrager (1984), Strategy choices in addition and subtraction: how do children know what to do?, "
    "in Sophian (ed.), Origins of Cognitive Skills, Erlbaum"
)
VANLEHN: Final = "VanLehn (1990), Mind Bugs: The Origins of Procedural Misconceptions, MIT Press"
YOUNG_OSHEA: Final = "Young & O'Shea (1981), Errors in children's subtraction, Cognitive Science 5"
