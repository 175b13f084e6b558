"""What is asked of the papers that the answer before named: when, by whom, how to cite them, and of whom."""

import re
from collections.abc import Sequence
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict

from maththera.store.papers import Paper

_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+")
_ORDINALS: Final = ("첫", "두", "세", "네", "다섯")
_WHICH: Final = re.compile(r"(첫|두|세|네|다섯|[1-9])\s*번\s*째")
_SINCE: Final = re.compile(r"((?:19|20)\d\d)\s*년?\s*(이후|부터|이전|까지|에|만|것)")
_YEAR: Final = re.compile(r"\(((?:19|20)\d\d)\)")
_Named = TypeVar("_Named")
_FOLLOW_UP: Final = 40
"""Characters of a message that asks more of the papers before."""
_MOST: Final = 3
"""Sentences that are quoted."""


class FollowUpTexts(BaseModel):
    """`follow_ups` of `papers` in `configs/chat/assistant/assistant.yaml`. `said`: by which such a message is known;
    `told_in`, without `of_pupils`: one that asks for what the paper tells."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    said: re.Pattern[str]
    told_in: re.Pattern[str]
    of_pupils: re.Pattern[str]
    cite: re.Pattern[str]
    newest: re.Pattern[str]
    oldest: re.Pattern[str]
    year: re.Pattern[str]
    authors: re.Pattern[str]
    sample: re.Pattern[str]
    of_sample: re.Pattern[str]
    link: re.Pattern[str]
    starter: str
    first_told: str
    rests_on: str
    untold: str
    none_since: str
    no_link: str
    not_there: str

    def answer(self, question: str, papers: Sequence[tuple[Paper, str]], cited: Sequence[str] = ()) -> str:
        """`papers`: in the order in which they were named, each with its text; `cited`: what the guides among them rest
        on. "" for a question of another kind."""
        papers = self.chosen(question, papers)
        if not papers:
            return self.not_there
        if since := _SINCE.search(question):
            return self._of_years(int(since[1]), since[2], papers)
        if (newest := bool(self.newest.search(question))) or self.oldest.search(question):
            return self._at_the_end([paper for paper, _ in papers], cited, newest=newest)
        if self.cite.search(question):
            return "\n".join(f"- {self._citation(paper)}" for paper, _ in papers)
        if self.sample.search(question):
            return "\n".join(f"- {paper.title}: {self._about_sample(text)}" for paper, text in papers)
        if self.year.search(question):
            return "\n".join(f"- {paper.title}: {self._year(paper)}" for paper, _ in papers)
        if self.authors.search(question):
            return "\n".join(f"- {paper.title}: {', '.join(paper.authors) or self.untold}" for paper, _ in papers)
        return self.no_link if self.link.search(question) else ""

    def asks_more(self, message: str) -> bool:
        """Whether a message, after an answer with papers, asks more of them."""
        return self.said.search(message) is not None or self.asks_what_is_told(message)

    def asks_what_is_told(self, message: str) -> bool:
        """Whether it asks for what a paper tells, and not for pupils' records or for advice."""
        short = len(message) <= _FOLLOW_UP
        return short and self.told_in.search(message) is not None and self.of_pupils.search(message) is None

    def chosen(self, question: str, papers: Sequence[_Named]) -> Sequence[_Named]:
        """The one that a question means by its place, or all."""
        if which := _WHICH.search(question):
            place = _ORDINALS.index(which[1]) if which[1] in _ORDINALS else int(which[1]) - 1
            return papers[place : place + 1]
        return papers

    def is_of_the_paper(self, question: str) -> bool:
        """Whether a question is about the paper itself (year, authors, citation, link) and not about what it says."""
        patterns = (_SINCE, self.newest, self.oldest, self.cite, self.year, self.authors, self.link)
        return any(pattern.search(question) for pattern in patterns)

    def _at_the_end(self, papers: Sequence[Paper], cited: Sequence[str], *, newest: bool) -> str:
        """The newest or the oldest of the papers, of guides of what they rest on; "" where no year is known."""
        guides = [paper.title for paper in papers if paper.starter]
        years = {self._citation(paper): paper.year for paper in papers if paper.year and not paper.starter}
        rests = self.rests_on.format(titles=", ".join(guides)) if guides and not years else ""
        if not years:
            years = {one: int(year[1]) for one in cited if (year := _YEAR.search(one))}
        if not years:
            return ""
        end = (max if newest else min)(years.values())
        found = [f"- {one}" for one, year in years.items() if year == end]
        first = self.first_told.format(year=end, which="최근" if newest else "오래된")
        return "\n".join(filter(None, [first, *found, rests]))

    def _year(self, paper: Paper) -> str:
        told = f"{paper.year}년" if paper.year else self.untold
        return f"{told} ({self.starter})" if paper.starter else told

    def _citation(self, paper: Paper) -> str:
        cited = f"{', '.join(paper.authors) or self.untold} ({paper.year or self.untold}). {paper.title}."
        return f"{cited} [{self.starter}]" if paper.starter else cited

    def _about_sample(self, text: str) -> str:
        found = [each.strip() for each in _SENTENCE.split(text) if self.of_sample.search(each)]
        return " ".join(found[:_MOST]) or self.untold

    def _of_years(self, year: int, how: str, papers: Sequence[tuple[Paper, str]]) -> str:
        """Those papers of a year, since it or until it; guides that come with the program are no papers."""
        first, last = (
            (year, 9999) if how in ("이후", "부터") else (0, year) if how in ("이전", "까지") else (year, year)
        )
        kept = [paper for paper, _ in papers if paper.year and not paper.starter and first <= paper.year <= last]
        return "\n".join(f"- {self._citation(paper)}" for paper in kept) or self.none_since
