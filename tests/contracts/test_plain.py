"""Documents in order are read without pydantic, as the models would have them."""

import json
import subprocess
import sys

import pytest
from test_contracts import DOCUMENTS, cases, changed, full

from tutor_lsp.contracts import models, plain
from tutor_lsp.contracts.export import PLAIN, plain_rules
from tutor_lsp.stages.plain_markdown import READ_AS

ALL = [*cases("valid"), *cases("invalid"), *((name, {}) for name in DOCUMENTS)]


def places(value):
    """Every container in a document with each of its keys."""
    for key, inner in [*(value.items() if isinstance(value, dict) else enumerate(value))]:
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


OTHER = [None, True, 7, 1.0, "", "x" * 5000, "\ud800", [], {}, ("x",), "ä\u202e <b>x</b>\n# y"]


@pytest.mark.parametrize("read", [None, {}, READ_AS], ids=["as it is", "limits", "as read"])
@pytest.mark.parametrize("contract", PLAIN)
def test_what_is_accepted_is_what_the_model_gives(contract, read):
    tried = taken = 0
    for other in ("left out", "one more", *OTHER):
        for number in range(len([*places(full(contract))])):
            document = full(contract)
            where, key = [*places(document)][number]
            if other == "left out":
                del where[key]
            elif other == "one more" and isinstance(where, dict):
                where["more"] = 1
            else:
                where[key] = other
            found = plain.accepted(contract, document, read)
            tried, taken = tried + 1, taken + (found is not None)
            if found is not None:
                assert models.validated(contract, document, read) == (found, [])
                assert list(found) == list(models.MODELS[contract].model_fields)
    assert 0 < taken < tried


@pytest.mark.parametrize(("contract", "case"), ALL)
def test_documents_in_order_are_accepted_and_no_others(contract, case):
    document = changed(contract, case)
    found = plain.accepted(contract, document, None)
    by_model = models.validated(contract, document, None)
    if contract in PLAIN:
        assert (found is None) is bool(by_model[1])
    if found is not None:
        assert (found, []) == by_model


def test_the_rules_are_those_of_the_models():
    assert plain.RULES.read_text("utf-8") == plain_rules()


def test_reading_a_document_in_order_loads_no_pydantic(tmp_path):
    program = (
        "import json, sys; from tutor_lsp.contracts.validate import validate;"
        "validate('scaffold_v1', json.load(open(sys.argv[1])));"
        "assert 'pydantic' not in sys.modules"
    )
    file = tmp_path / "scaffold.json"
    file.write_text(json.dumps(full("scaffold_v1")))
    subprocess.run([sys.executable, "-c", program, str(file)], check=True)
