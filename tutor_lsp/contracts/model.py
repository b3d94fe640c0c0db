"""The only way to the pydantic models: pydantic loads with the first requested contract, so code
that needs none does not wait for it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from tutor_lsp.contracts.base import Contract


def model_of(contract: str) -> "type[Contract]":
    """The model of a contract. Raises KeyError for an unknown name."""
    from tutor_lsp.contracts.models import MODELS

    return MODELS[contract]


def validated(
    contract: str, document: Any, read: Mapping[str, Any] | None
) -> "tuple[dict[str, Any], list[ErrorDetails]]":
    """See `models.validated`."""
    from tutor_lsp.contracts.models import validated as by_model

    return by_model(contract, document, read)
