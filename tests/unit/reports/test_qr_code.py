"""QR codes, read back, and against another encoder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.reports.qr_code import LARGEST, SIZE, _free_places, _function_modules, _product, qr_code

FULL = "https://maththera.example/k#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789abcd"
# Made with segno 1.6.6: version 6, error correction M, mask 0. A text that needs no padding.
ROWS = """
1fcbb444a7f 1051b36ba41 174a545315d 174c3402d5d 17514e2ab5d 104ddefae41 1fd5555557f 000f6bd8d00 15430b99912 163de15994c
0c74915d8d7 0c81de9fd00 1e6939a8ee9 0e81d108729 01d5284154b 01222afae6a 17d77111a69 023f2bbb54b 0cca7d8dc5d 11990fd8961
116f6bddc78 0a92195d84b 197780504d3 1431fc9ef03 1567ee989ec 10ad710d440 03dc28414e7 0f8f2bea9e2 04fffb8aee9 05081108729
107718d0c37 0b861ebd9e9 166e03131fa 00143f3b11b 1fcd005c353 104a189ed11 175387dd1fa 1749e9ddf9b 1754594c33b 104d58fa922
1fdefb9b97f
"""


def test_another_encoder_draws_the_same() -> None:
    drawn = [int("".join(str(int(dark)) for dark in row), 2) for row in qr_code(FULL)]
    assert drawn == [int(row, 16) for row in ROWS.split()]


def words_in(code: list[list[bool]]) -> list[list[int]]:
    """Data and check words of the four blocks."""
    places = _free_places(_function_modules())
    bits = "".join(str(int(code[row][column] ^ ((row + column) % 2 == 0))) for row, column in places)
    words = [int(bits[start : start + 8], 2) for start in range(0, 172 * 8, 8)]
    return [words[:108][block::4] + words[108:][block::4] for block in range(4)]


@given(st.text(max_size=LARGEST).filter(lambda text: len(text.encode()) <= LARGEST))
def test_a_code_is_read_back(text: str) -> None:
    blocks = words_in(qr_code(text))
    for words in blocks:
        root = 1
        for _ in range(16):  # every root of the divisor is one of the block
            rest = 0
            for word in words:
                rest = _product(rest, root) ^ word
            assert rest == 0
            root = _product(root, 2)
    data = bytes(word for words in blocks for word in words[:27])
    number = int.from_bytes(data)
    length = number >> 8 * 108 - 12 & 0xFF
    assert number >> 8 * 108 - 4 == 0b0100
    assert (number >> 8 * (108 - length) - 12 & (1 << 8 * length) - 1).to_bytes(length).decode() == text


def test_every_module_is_of_one_kind() -> None:
    taken = _function_modules()
    free = _free_places(taken)
    assert len(free) == len(set(free)) == SIZE * SIZE - len(taken) == 172 * 8 + 7


def test_a_longer_text_is_refused() -> None:
    with pytest.raises(ValueError, match="106 bytes"):
        qr_code("a" * 107)
