"""The page that children and adults see in a browser: the files that `scripts/web` has built, with their headers."""

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response

DIST: Final = Path(__file__).parent.parent / "web" / "dist"
ADDRESSES: Final = {
    "index.html": ("/", "/play", "/train", "/train/{training_id}", "/path", "/lesson", "/talk", "/k"),
    "adult.html": ("/adult", "/adult/{rest:path}", "/guardian", "/author", "/author/{name}"),
}
"""The child's page and the adults' → the addresses at which each is shown: its script looks at the address."""

_NOT_BUILT: Final = (
    "<!doctype html><html lang=ko><meta charset=utf-8><title>Maththera</title>"
    "<p>화면이 없습니다. API는 됩니다. <a href=docs>docs</a>"
    "<p lang=en>There is no page: run scripts/web with Node 20.19 or newer. The API works."
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",  # with the one above, browsers measure time more finely
    "Permissions-Policy": "microphone=(self), camera=(self)",
}
_FOR_EVER: Final = "public, max-age=31536000, immutable"  # a file of another content has another name
_ASK_FIRST: Final = "no-cache"
_ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
_TYPES: Final = {".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".js": "text/javascript"}


@dataclass(frozen=True, slots=True)
class _File:
    """A built file; `bodies` by content encoding, "" for none."""

    media_type: str
    etag: str
    bodies: Mapping[str, bytes]

    def response(self, request: Request, *, caching: str) -> Response:
        headers = _HEADERS | {"ETag": self.etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        if self.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        accepted = request.headers.get("accept-encoding", "")
        encoding = next((name for name, _ in _ENCODINGS if name in accepted and name in self.bodies), "")
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(self.bodies[encoding], media_type=self.media_type, headers=headers)


def install(app: FastAPI, dist: Path = DIST) -> None:
    """Serves the page from the files of `dist`; where nothing was built, `/` says so."""
    files = _built(dist)

    def show(address: str, shell: _File | None) -> None:
        async def page(request: Request) -> Response:
            if shell is None:
                return Response(_NOT_BUILT, media_type="text/html")
            return shell.response(request, caching=_ASK_FIRST)

        app.add_route(address, page, include_in_schema=False)

    def serve(name: str, file: _File) -> None:
        caching = _FOR_EVER if name.startswith("assets/") else _ASK_FIRST

        async def built(request: Request) -> Response:
            return file.response(request, caching=caching)

        app.add_route(f"/{name}", built, include_in_schema=False)

    for name, addresses in ADDRESSES.items():
        for address in addresses:
            show(address, files.get(name))
    for name, file in files.items():
        if name not in ADDRESSES:
            serve(name, file)


def _built(dist: Path) -> dict[str, _File]:
    """Name → file. Some dozens, so that all are kept in memory."""
    packed = tuple(suffix for _, suffix in _ENCODINGS)
    names = [path for path in sorted(dist.rglob("*")) if path.is_file() and path.suffix not in packed]
    return {path.relative_to(dist).as_posix(): _read(path) for path in names if not path.name.startswith(".")}


def _read(path: Path) -> _File:
    content = path.read_bytes()
    bodies = {"": content}
    for name, suffix in _ENCODINGS:
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            bodies[name] = beside.read_bytes()
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return _File(media_type, f'"{sha256(content).hexdigest()[:20]}"', bodies)
