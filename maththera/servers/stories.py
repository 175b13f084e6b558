"""Problems by id, told as stories or not."""

from functools import cached_property

from mcp.server.mcpserver.exceptions import ToolError

from maththera.arithmetic.problem import Problem, ProblemError
from maththera.servers.common import World
from maththera.servers.word_problems import WordProblem, WordProblems


class Stories:
    """The word problems of a world."""

    def __init__(self, world: World) -> None:
        self._world = world

    @cached_property
    def told(self) -> WordProblems:
        return WordProblems.load(self._world.configs / "word_problems.yaml")

    def find(self, argument: str, problem_id: str) -> tuple[Problem, WordProblem | None]:
        """The problem of a bank id, an X: id or the W: id of a story; ToolError names the argument."""
        try:
            told = self.told.find(problem_id, self._world.bank)
            return (told.problem, told) if told else (self._world.bank.problem(problem_id), None)
        except ProblemError:
            raise ToolError(f"{argument}: '{problem_id}'라는 문제는 없습니다.") from None
