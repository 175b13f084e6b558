"""The word problems of a server: a tool's argument may name a problem of the bank or a story told of one."""

from functools import cached_property

from mcp.server.mcpserver.exceptions import ToolError

from maththera.arithmetic.problem import Problem, ProblemError
from maththera.servers.toolkit.server_base import ServerResources
from maththera.servers.toolkit.word_problems import WordProblem, WordProblems


class ProblemStories:
    """The word problems of a world."""

    def __init__(self, world: ServerResources) -> None:
        self._world = world

    @cached_property
    def word_problems(self) -> WordProblems:
        return WordProblems.load(self._world.configs / "servers" / "word_problems.yaml")

    def find(self, argument: str, problem_id: str) -> tuple[Problem, WordProblem | None]:
        """The problem of a bank id, an X: id or the W: id of a story; ToolError names the argument."""
        try:
            told = self.word_problems.find(problem_id, self._world.bank)
            return (told.problem, told) if told else (self._world.bank.problem(problem_id), None)
        except ProblemError:
            raise ToolError(f"{argument}: '{problem_id}'라는 문제는 없습니다.") from None
