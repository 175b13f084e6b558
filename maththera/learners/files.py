"""YAML files that say what learner data means, read whole or refused."""

from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class FileError(ValueError):
    """Each line of the message is one fault: `file: field: reason`."""


def read_yaml(path: Path, adapter: TypeAdapter[T]) -> T:
    """The file as the adapter's type; FileError names every field that does not fit."""
    try:
        return adapter.validate_python(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise FileError(f"{path}: {error}") from error
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc'])) or 'file'}: {fault['msg']}" for fault in error.errors())
        raise FileError("\n".join(f"{path}: {fault}" for fault in faults)) from error
