"""`school-info-mcp`: what a school's own documents say, quoted word for word."""

from functools import cached_property
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, ConfigDict, Field

from maththera.servers.toolkit.passage_search import Hit, answer_from_passages, search, split
from maththera.servers.toolkit.server_base import ServerResources, make_server, serve, tool
from maththera.store.schools import School, SchoolDocument, Schools, read_school

_QUOTED = 3
SchoolCode = Annotated[str, Field(min_length=1, max_length=40, description="학교 코드")]


class Source(BaseModel):
    """A passage of a document. `relevance`, 0 to 1: the share of the question that it covers."""

    document_id: str
    title: str
    year: int
    heading: str
    passage: int
    quote: str
    relevance: float


class SchoolAnswer(BaseModel):
    """`answer` rests on the quoted passages alone: a language model made it of them, or it is them (`written_by`).
    Empty, with a message, where the documents say nothing of it."""

    answer: str
    written_by: Literal["model", "passages"]
    sources: list[Source]
    school: str
    sample: bool
    message: str | None = None


class DocumentEntry(BaseModel):
    document_id: str
    title: str
    year: int
    characters: int


class SchoolEntry(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    school_code: str
    name: str
    region: str
    kind: str
    sample: bool


class SchoolMetadata(SchoolEntry):
    """`sample`: an invented school that ships with the program."""

    documents: list[DocumentEntry]
    years: list[int]


class FoundSchools(BaseModel):
    schools: list[SchoolEntry]
    message: str | None = None


class _SchoolDocuments:
    """The schools that were added, and the sample that ships; an added school of the same code takes its place."""

    def __init__(self, world: ServerResources) -> None:
        self._added = Schools(world.database)
        self._world = world

    @cached_property
    def _shipped(self) -> dict[str, tuple[School, list[SchoolDocument]]]:
        folders = sorted((self._world.configs / "servers" / "schools").glob("*/school.yaml"))
        return {found[0].school_code: found for found in (read_school(path.parent) for path in folders)}

    async def find(self, school_code: str) -> tuple[School, list[SchoolDocument]]:
        """ToolError where there is no such school."""
        if school := await self._added.find(school_code):
            return school, await self._added.documents(school_code)
        if shipped := self._shipped.get(school_code):
            return shipped
        raise ToolError(f"school_code: '{school_code}'라는 학교는 등록되어 있지 않습니다. search_schools로 찾아보세요.")

    async def all(self) -> list[School]:
        added = await self._added.all()
        codes = {school.school_code for school in added}
        return [*added, *(school for code, (school, _) in self._shipped.items() if code not in codes)]


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("school-info-mcp", world)
    library = _SchoolDocuments(world)

    @tool(server, "학교의 교육 계획서와 평가 계획서에서 질문의 답을 찾아 근거가 되는 원문과 함께 알려 줍니다.")
    async def query_school_info(
        question: Annotated[str, Field(min_length=1, max_length=500, description="질문")],
        school_code: SchoolCode,
        year: Annotated[int, Field(ge=2000, le=2100, description="학년도")],
    ) -> SchoolAnswer:
        school, documents = await library.find(school_code)
        years = sorted({document.year for document in documents})
        chosen = [document for document in documents if document.year == year]
        passages = [passage for one in chosen for passage in split(one.document_id, one.title, one.year, one.text)]
        hits = search(question, passages, _QUOTED)
        answer = await answer_from_passages(question, school.name, hits, world.models)
        return SchoolAnswer(
            answer=answer.text,
            written_by=answer.source,
            sources=[_source(hit) for hit in answer.hits],
            school=school.name,
            sample=school.sample,
            message=None if hits else _why_nothing(year, years),
        )

    @tool(server, "학교의 이름, 지역, 등록된 문서와 학년도를 알려 줍니다.")
    async def get_school_metadata(school_code: SchoolCode) -> SchoolMetadata:
        school, documents = await library.find(school_code)
        return SchoolMetadata(
            **dict(SchoolEntry.model_validate(school)),
            documents=[
                DocumentEntry(document_id=one.document_id, title=one.title, year=one.year, characters=len(one.text))
                for one in documents
            ],
            years=sorted({one.year for one in documents}, reverse=True),
        )

    @tool(server, "이름이나 지역의 일부로 등록된 학교를 찾습니다. 둘 다 없으면 모든 학교를 보여 줍니다.")
    async def search_schools(
        name: Annotated[str | None, Field(max_length=100, description="학교 이름의 일부")] = None,
        region: Annotated[str | None, Field(max_length=100, description="지역의 일부")] = None,
    ) -> FoundSchools:
        found = [
            SchoolEntry.model_validate(school)
            for school in await library.all()
            if (name or "").replace(" ", "") in school.name.replace(" ", "") and (region or "") in school.region
        ]
        return FoundSchools(schools=found, message=None if found else "조건에 맞는 학교가 없습니다.")

    return server


def _source(hit: Hit) -> Source:
    passage = hit.passage
    return Source(
        document_id=passage.document_id,
        title=passage.title,
        year=passage.year,
        heading=passage.heading,
        passage=passage.place,
        quote=passage.text,
        relevance=round(hit.share, 2),
    )


def _why_nothing(year: int, years: list[int]) -> str:
    if not years:
        return "이 학교에는 등록된 문서가 없습니다."
    if year not in years:
        return f"{year}학년도 문서가 없습니다. 있는 학년도: {', '.join(map(str, years))}."
    return f"{year}학년도 문서에서 이 질문의 답을 찾지 못했습니다."


if __name__ == "__main__":
    serve(build)
