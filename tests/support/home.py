"""A home folder like the packaged one, with other limits."""

from pathlib import Path
from typing import Any

import yaml

from maththera.settings import home


def link_configs(folder: Path) -> None:
    """Links every file of the packaged `configs` into folders of their own, so that a test can replace one."""
    for path in (home() / "configs").rglob("*.*"):
        if path.is_file():
            link = folder / path.relative_to(home())
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)


def replace_config(folder: Path, name: str, text: str) -> Path:
    """Puts `text` in the place of the linked `configs/<name>`. -> the file"""
    file = folder / "configs" / name
    file.unlink()
    file.write_text(text, encoding="utf-8")
    return file


def home_with_limits(folder: Path, **parts: dict[str, Any]) -> Path:
    """`parts` of `configs/runtime/limits.yaml` with the fields that differ. -> folder"""
    link_configs(folder)
    for name in ("prompts", "flows"):
        (folder / name).symlink_to(home() / name)
    limits = yaml.safe_load((home() / "configs" / "runtime" / "limits.yaml").read_text(encoding="utf-8"))
    for part, fields in parts.items():
        limits[part] |= fields
    replace_config(folder, "runtime/limits.yaml", yaml.safe_dump(limits, sort_keys=False))
    return folder
