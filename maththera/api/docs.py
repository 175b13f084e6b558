"""The documentation as a page that needs no network: Swagger UI's files come with the service."""

from fastapi import FastAPI, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import RedirectResponse
from starlette.staticfiles import StaticFiles


def install(app: FastAPI) -> None:
    """`/` leads to `/docs`. All addresses are relative, so that a proxy may put a path in front of them."""
    app.mount("/swagger", StaticFiles(packages=[("fastapi_swagger", "resources")]))

    @app.get("/", include_in_schema=False)
    async def _root(_: Request) -> Response:
        return RedirectResponse("docs")

    @app.get("/docs", include_in_schema=False)
    async def _docs(_: Request) -> Response:
        return get_swagger_ui_html(
            openapi_url="openapi.json",
            title=app.title,
            swagger_js_url="swagger/swagger-ui-bundle.js",
            swagger_css_url="swagger/swagger-ui.css",
            swagger_favicon_url="swagger/favicon-32x32.png",
        )
