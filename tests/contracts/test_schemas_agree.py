"""Whatever is taken by a contract fits the schema that models are held to."""

import copy
import itertools

import pytest
from jsonschema import Draft202012Validator
from test_contracts import DOCUMENTS, full

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.contracts.validate import ContractError, validate

WRONG = (None, True, 3, "", "x", [], ["x"], {}, {"x": 1})


def places(value):
    """Each container in a document with each key in it."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def changed(contract):
    """Documents in which one value is another one, one is missing, or one is too many."""
    for number in range(len(list(places(full(contract))))):
        for wrong in WRONG:
            document = full(contract)
            container, key = next(itertools.islice(places(document), number, None))
            container[key] = copy.deepcopy(wrong)
            yield document
        document = full(contract)
        container, key = next(itertools.islice(places(document), number, None))
        del container[key]
        yield document
    yield full(contract) | {"unknown": 1}


@pytest.mark.parametrize("contract", DOCUMENTS)
def test_what_is_taken_fits_the_schema(contract):
    schema = Draft202012Validator(load_schema(contract))
    taken = refused = 0
    for document in changed(contract):
        try:
            kept = validate(contract, document)
        except ContractError:
            refused += 1
        else:
            taken += 1
            assert schema.is_valid(kept), kept
    assert taken
    assert refused > taken
