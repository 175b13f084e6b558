"""QR codes of one size: version 6, error correction M, bytes, mask 0 (ISO/IEC 18004:2024). A damaged sixth is read."""

from itertools import chain, zip_longest
from typing import Final

SIZE: Final = 41
LARGEST: Final = 106
"""Bytes of a text: the data codewords without the mode, the length and the end."""

_BLOCKS: Final = 4
_BLOCK_DATA: Final = 27
_BLOCK_CHECKS: Final = 16
_PADDING: Final = (0xEC, 0x11)
_FIELD: Final = 0x11D
"""x⁸+x⁴+x³+x²+1, by which products in GF(256) are reduced."""
_FORMAT: Final = 0b101010000010010
"""Correction M and mask 0, with their check bits, as they are masked."""


def qr_code(text: str) -> list[list[bool]]:
    """Rows of modules, dark ones true; the quiet zone around them is the reader's. ValueError above LARGEST bytes."""
    content = text.encode()
    if len(content) > LARGEST:
        raise ValueError(f"a QR code holds {LARGEST} bytes, not {len(content)}")
    dark = _function_modules()
    bits = chain.from_iterable(f"{word:08b}" for word in _codewords(content))
    for row, column in _free_places(dark):
        dark[row, column] = (next(bits, "0") == "1") ^ ((row + column) % 2 == 0)
    return [[dark[row, column] for column in range(SIZE)] for row in range(SIZE)]


def qr_svg(text: str) -> str:
    """The code as a picture, with the quiet zone of four modules around it."""
    rows = enumerate(qr_code(text))
    squares = "".join(f"M{column} {row}h1v1h-1z" for row, line in rows for column, dark in enumerate(line) if dark)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {SIZE + 8} {SIZE + 8}">'
        f'<path d="{squares}" shape-rendering="crispEdges"/></svg>'
    )


def _codewords(content: bytes) -> list[int]:
    """Data and check words, those of the blocks in turn."""
    bits = int.from_bytes(bytes([0b0100, len(content)]) + content) << 4
    data = list(bits.to_bytes(len(content) + 3)[1:])  # mode and length are 12 bits, the end is 4 more
    data += [_PADDING[number % 2] for number in range(_BLOCKS * _BLOCK_DATA - len(data))]
    blocks = [data[start : start + _BLOCK_DATA] for start in range(0, len(data), _BLOCK_DATA)]
    return [*chain(*zip(*blocks, strict=True)), *chain(*zip(*map(_check_words, blocks), strict=True))]


def _check_words(block: list[int]) -> list[int]:
    """The remainder of the block by the product of all x-2^i (Reed and Solomon)."""
    divisor, root = [1], 1
    for _ in range(_BLOCK_CHECKS):
        shifted = [_product(each, root) for each in divisor]
        divisor = [one ^ other for one, other in zip_longest(divisor, [0, *shifted], fillvalue=0)]
        root = _product(root, 2)
    rest = [*block, *[0] * _BLOCK_CHECKS]
    for start in range(len(block)):
        factor = rest[start]
        for place, each in enumerate(divisor):
            rest[start + place] ^= _product(each, factor)
    return rest[len(block) :]


def _product(one: int, other: int) -> int:
    found = 0
    while other:
        found ^= one if other & 1 else 0
        one = one << 1 ^ (_FIELD if one & 0x80 else 0)
        other >>= 1
    return found


def _function_modules() -> dict[tuple[int, int], bool]:
    """The modules that have no data: row and column → dark."""
    dark = {}
    for place in range(SIZE):
        dark[6, place] = dark[place, 6] = place % 2 == 0
    for top, left in ((0, 0), (0, SIZE - 7), (SIZE - 7, 0)):
        for row in range(top - 1, top + 8):
            for column in range(left - 1, left + 8):
                if 0 <= row < SIZE and 0 <= column < SIZE:
                    dark[row, column] = max(abs(row - top - 3), abs(column - left - 3)) in (0, 1, 3)
    for row in range(SIZE - 9, SIZE - 4):
        for column in range(SIZE - 9, SIZE - 4):
            dark[row, column] = max(abs(row - SIZE + 7), abs(column - SIZE + 7)) != 1
    beside = [(row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, column) for column in (7, 5, 4, 3, 2, 1, 0)]
    below = [(8, SIZE - 1 - place) for place in range(8)] + [(SIZE - 7 + place, 8) for place in range(7)]
    for number in range(15):
        dark[beside[number]] = dark[below[number]] = bool(_FORMAT >> number & 1)
    dark[SIZE - 8, 8] = True
    return dark


def _free_places(taken: dict[tuple[int, int], bool]) -> list[tuple[int, int]]:
    """In the order of the bits: two columns at a time from the right, up and down in turn, past the sixth column."""
    found = []
    for number, right in enumerate((*range(SIZE - 1, 6, -2), 5, 3, 1)):
        rows = range(SIZE) if number % 2 else range(SIZE - 1, -1, -1)
        found += [(row, column) for row in rows for column in (right, right - 1) if (row, column) not in taken]
    return found
