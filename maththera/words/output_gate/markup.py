"""Finds links, images, HTML and Markdown in a text, or rewrites them so that nothing can be clicked, loaded or run."""

import html
import re
from typing import Final, Literal, TypeAlias

Markup: TypeAlias = Literal["link", "image", "html", "markdown", "think"]

THINK: Final = re.compile(
    r"[<\[]\s{0,3}(/?)\s{0,3}(?:think|thinking|thought|reasoning|reflection|scratchpad|analysis|inner_monologue)\b"
    r"[^>\]<\[]{0,40}[>\]]",
    re.IGNORECASE,
)
"""The beginning of a model's thoughts or, with group 1, their end."""
_IMAGE: Final = re.compile(r"!\[[^\]\n]{0,400}\]\s?(?:\([^)\n]{0,2000}\)?|\[[^\]\n]{0,200}\]?)")
_LINK: Final = re.compile(r"\[([^\]\n]{0,400})\]\s?\(\s*<?([^)\s>]{0,2000})[^)\n]{0,400}\)")
_OPEN_LINK: Final = re.compile(r"\]\s?\([^)\n]*$|\[[^\]\n]*$")
_OPEN_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*$")
_REFERENCE: Final = re.compile(r"\[[^\]\n]{1,200}\]\[[^\]\n]{0,200}\]|^\s*\[[^\]\n]{1,200}\]:\s*\S+", re.MULTILINE)
_ADDRESS: Final = re.compile(
    r"\b(?:https?|ftp|file|data|javascript|mailto|tel|vbscript)\s?:\s?/?/?[^\s<>)\]]+", re.IGNORECASE
)
_RUNS: Final = re.compile(r"(?:javascript|data|vbscript|file)\s?:", re.IGNORECASE)
_WWW: Final = re.compile(r"(?<![\w.])www\s?\.\s?[^\s<>)\]]+", re.IGNORECASE)
_HOST: Final = re.compile(r"\s*(?:[a-z]+\s?:\s?)?(?://)?(?:[^/@\s]{1,100}@)?([a-z0-9가-힣.-]{1,253})", re.IGNORECASE)
_PATH: Final = re.compile(r"((?<![\w@.])(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10})[/?][\w./?=&%#~+-]*", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9:-]*(?:\s[^<>]{0,2000})?/?>|<!--|<!\w|<\?|<(?:script|img|iframe|svg|a|div)\b", re.IGNORECASE
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_MARKDOWN: Final = re.compile(
    "|".join(
        (
            r"^\s*[-*+] \[[ xX]\]",  # a list to tick off
            r"^[\s|:-]*-[\s|:-]*\|[\s|:-]*$|^\s*\|.*\|\s*$|^\s*\|?\s*:?-{3,}:?\s*\|",  # a table
            r"^\s{0,3}#{1,6}\s|^\s{0,3}>|^\s{0,3}(?:[-*_]\s?){3,}$",  # a heading, a quotation, a rule
            r"`|~~[^~\s][^~\n]{0,200}~~",  # code, struck out
            r"(?<![\w*\\])\*(?![\s*])[^*\n]{1,200}(?<![\s*])\*(?![\w*])",  # *italics*
            r"(?<![\w_])_(?![\s_])[^_\n]{1,200}(?<![\s_])_(?![\w_])",  # _italics_
            r"\$\$|\\\(|\\\[|\\(?:frac|times|div|text|boxed)\b|\[\^\w",  # TeX, a footnote
        )
    ),
    re.MULTILINE,
)
"""Markdown and TeX beyond bold and lists."""


class Addresses:
    """Finds addresses without http://. `domains`: the endings of an address; `spoken`: the same in Korean letters."""

    def __init__(self, domains: str, spoken: str) -> None:
        self._bare = re.compile(
            rf"(?<![\w@.])(?:[a-z0-9-]{{1,63}}\.){{1,5}}(?:{domains})(?![a-z0-9-])(?:[/:?]\S*)?", re.IGNORECASE
        )
        self._spoken = re.compile(spoken, re.IGNORECASE)

    def found_in(self, text: str) -> bool:
        """Whether there is an address of any kind."""
        return any(pattern.search(text) for pattern in (_ADDRESS, _WWW, _LINK, _REFERENCE, self._bare, self._spoken))


def markup(text: str, addresses: Addresses) -> Markup | None:
    """The first markup that a child must not be shown, or None."""
    plain = html.unescape(text)
    if found := _no_text(plain):
        return found
    if _ENTITY.search(text):
        return "html"
    if addresses.found_in(plain):
        return "link"
    return "markdown" if _MARKDOWN.search(plain) else None


def active(text: str) -> Markup | None:
    """The first markup that nobody must be shown, or None: HTML, images, thoughts, and links that hide their
    address."""
    plain = html.unescape(text)
    return _no_text(plain) or ("link" if _REFERENCE.search(plain) or _RUNS.search(plain) else None)


def _no_text(plain: str) -> Markup | None:
    """The first markup in an unescaped text that is no text for anybody."""
    if THINK.search(plain):
        return "think"
    if _IMAGE.search(plain):
        return "image"
    return "html" if _TAG.search(plain) else None


def with_hosts(text: str) -> str:
    """Links as text: `[title](http://host/path)` as "title (host)", a bare address as its host. Addresses of our own,
    which begin with a /, stay."""
    return _PATH.sub(r"\1", _WWW.sub(_host, _ADDRESS.sub(_host, _LINK.sub(_titled, text))))


def without_markup(text: str) -> str:
    """A tool's text for adults: HTML, images and thoughts left out, titled links as text; a bare address, which shows
    where it leads, stays."""
    plain = _IMAGE.sub("", html.unescape(text))
    return THINK.sub("", _TAG.sub("", _LINK.sub(_titled, plain)))


def is_open(text: str) -> bool:
    """Whether a link, image, tag or address may continue beyond the end of the text."""
    if _OPEN_LINK.search(text[-400:]) or _OPEN_TAG.search(text[-400:]):
        return True
    last = text.rsplit(maxsplit=1)[-1] if text and not text[-1].isspace() else ""
    return "://" in last or last.startswith(("www.", "<", "&")) or last == "!"


def _titled(link: re.Match[str]) -> str:
    title, address = link[1].strip(), link[2]
    if address.startswith("/") and not address.startswith("//"):
        return f"{title} ({address})"
    host = host_of(address)
    return f"{title} ({host})" if host and host != title else title


def _host(address: re.Match[str]) -> str:
    end = re.search(r"[.,!?;:…]*$", address[0])
    return host_of(address[0]) + (end[0] if end else "")


def host_of(address: str) -> str:
    """The host of an address; "" where it has none."""
    found = _HOST.match(address)
    return found[1].strip(".") if found else ""
