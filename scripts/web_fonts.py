"""Writes web/fonts/: Pretendard (OFL) for the page, in two parts a weight. `child` holds every syllable of what a child
reads and comes at once; `rest` holds the other 2,350 common syllables and comes only where one of them stands."""

import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from fontTools import subset

HOME: Final = Path(__file__).parent.parent
FONTS: Final = HOME / "web" / "fonts"
_PACKAGE: Final = "pretendard@1.3.9"
_SYLLABLES: Final = "U+AC00-D7A3"
"""What `rest` is asked for: no other sign, such as an animal's, makes a tablet fetch it."""
_WEIGHTS: Final = {500: "Medium", 700: "Bold"}
_SIGNS: Final = {*map(chr, range(0x20, 0x7F)), *"×÷−□○·…–—‘’“”~→←↑↓"}
_FEATURES: Final = ["tnum", "cv01", "cv03", "cv04", "kern"]
_CHILD_TEXTS: Final = (
    "configs/tutoring/feedback.yaml",
    "configs/tutoring/trainings.yaml",
    "configs/tutoring/stories.yaml",
    "configs/tutoring/session_rules.yaml",
    "configs/knowledge/skills.yaml",
    "configs/words/danger_answers.yaml",
    "maththera/arithmetic/strategies/*.py",
    "maththera/tutoring/content/training_tasks/*.py",
    "web/src/child/*",
    "web/src/widgets/*",
    "web/src/lib/*",
)


def child_characters() -> set[str]:
    """Of all texts that a child may read: those of the tutor and those of the page."""
    texts = (path.read_text("utf-8") for pattern in _CHILD_TEXTS for path in HOME.glob(pattern))
    return {sign for text in texts for sign in re.sub(r"^\s*#.*", "", text, flags=re.M) if "가" <= sign <= "힣"}


def _common_syllables() -> set[str]:
    """The 2,350 of KS X 1001."""
    rows = (bytes([row, cell]) for row in range(0xB0, 0xC9) for cell in range(0xA1, 0xFF))
    return {pair.decode("euc_kr") for pair in rows}


def _write(source: Path, target: Path, characters: set[str]) -> None:
    options = subset.Options(flavor="woff2", layout_features=_FEATURES, name_IDs=[0, 1, 2, 13, 14], desubroutinize=True)
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted(characters)))
    subsetter.subset(font)
    subset.save_font(font, target, options)


def _ranges(characters: set[str]) -> str:
    """As CSS writes them: U+AC00-AC01, U+AC04."""
    points = sorted(map(ord, characters))
    runs = [[points[0], points[0]]]
    for point in points[1:]:
        if point == runs[-1][1] + 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return ",".join(f"U+{low:X}" if low == high else f"U+{low:X}-{high:X}" for low, high in runs)


def main() -> None:
    FONTS.mkdir(exist_ok=True)
    parts = {"child": child_characters() | _SIGNS}
    parts["rest"] = _common_syllables() - parts["child"]
    css = ["/* Written by scripts/web_fonts.py. */"]
    with tempfile.TemporaryDirectory() as folder:
        npm = shutil.which("npm") or "npm"
        subprocess.run([npm, "pack", _PACKAGE, "--silent", "--pack-destination", folder], check=True, cwd=folder)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            package.extractall(folder, filter="data")
        public = Path(folder, "package", "dist", "public")
        for weight, name in _WEIGHTS.items():
            for part in ("rest", "child"):  # the later one comes first where both have a character
                _write(public / "static" / f"Pretendard-{name}.otf", FONTS / f"{part}-{weight}.woff2", parts[part])
                covers = _ranges(parts[part]) if part == "child" else _SYLLABLES
                css.append(
                    f'@font-face {{ font-family: "Pretendard"; font-weight: {weight}; font-display: block; '
                    f'src: url("./{part}-{weight}.woff2") format("woff2"); unicode-range: {covers}; }}'
                )
        licence = re.sub(r"\r\n", "\n", Path(folder, "package", "dist", "LICENSE.txt").read_text("utf-8"))
        (FONTS / "LICENSE.txt").write_text(licence, "utf-8")
    (FONTS / "fonts.css").write_text("\n".join(css) + "\n", "utf-8")


if __name__ == "__main__":
    main()
