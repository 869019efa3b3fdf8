"""Settings of the baselines: each has its own, with the values that train best as defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from phil.errors import InputError, unknown_name


class BaselineSettings(BaseModel):
    """What the settings of all baselines have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    validation: int = Field(100, ge=1, description="validation problems used, at most")


def baseline_settings(
    kind: type[BaselineSettings], method: str, changes: Mapping[str, Any]
) -> BaselineSettings:
    """The settings of a baseline with some of them changed."""
    for name in changes:
        if name not in kind.model_fields:
            raise unknown_name(f"setting of {method}", name, kind.model_fields)
    try:
        return kind.model_validate(changes)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise InputError(f"setting {name}={changes.get(name)}: {first['msg']}") from None
