"""The contracts: what a stage receives and what it must answer, versioned.

`models` has the pydantic models by contract name, `export` writes them as strict JSON Schemas
to `schemas/`, `validate` checks a document against a contract.

Deliberately absent: files of exercises, processes, and rules that need more than one document.
"""
