"""Signatures of a unit's known versions: what each comes to on inputs that tell them apart."""
