"""Which questions are answered by what is known of the code, whoever coaches."""

import re
from collections.abc import Mapping, Sequence

from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.session import Hint

LONGEST = 160
"""Characters of a question that asks for nothing but the reason; a longer one says more."""
_ASKS: Mapping[str, str] = {
    "en": r"why|what|what's|whats|where|how come",
    "de": r"warum|wieso|weshalb|was|wo",
    "fr": r"pourquoi|qu'est-ce|que|où|quelle?",
    "es": r"por qué|por que|porque|qué|que|dónde|donde|cuál",
    "zh": r"为什么|为何|为啥|怎么|哪里|哪儿|什么",
}
_WRONG: Mapping[str, str] = {
    "en": r"wrong|(?:it|this|that|code|answer)(?: is|'s)? incorrect|(?:my|the) (?:mistake|error)"
    r"|(?:it|this|mine|code|(?:my|the) (?:\w+ )?tests?|function) (?:still )?fail"
    r"|n[o']t (?:\w+ ){0,3}(?:work|pass|right)",
    "de": r"falsch|(?:mein|der|den|ein|einen) fehler|schlägt|nicht (?:richtig|grün|durch)"
    r"|(?:klappt|funktioniert) (?:\w+ ){0,3}nicht|nicht (?:klappt|funktioniert)",
    "fr": r"faux|fausse|incorrect|(?:mon |l')erreur|échou|echou"
    r"|ne (?:\w+ ){0,2}(?:march|fonctionn|passe)",
    "es": r"mal\b|incorrect|equivoc|(?:mi|el) (?:error|fallo)|falla"
    r"|no (?:\w+ ){0,2}(?:funciona|pasa)",
    "zh": r"错|不对|失败|不正确|不通过|通不过|没通过|不行",
}
"""In the five languages that hints are measured in: what asks, and what is asked about. In another
one a model is asked, as about all else."""


def asks_why(question: str) -> bool:
    """Whether a question asks why the code is wrong, and nothing else."""
    said = " ".join(question.casefold().replace("’", "'").split())
    return len(said) <= LONGEST and any(
        _has(_ASKS[language], said, language) and _has(_WRONG[language], said, language)
        for language in _ASKS
    )


def _has(words: str, said: str, language: str) -> bool:
    apart = "" if language == "zh" else r"(?<!\w)"
    ends = r"(?!\w)" if words == _ASKS[language] and language != "zh" else ""
    return re.search(rf"{apart}(?:{words}){ends}", said.replace("n't", " n't")) is not None


def is_known(question: str, known: Diagnosis | None, hints: Sequence[Hint], text_hash: str) -> bool:
    """Whether a question asks for just what is known for sure, and was not answered so before:
    whoever asks again wants more than that."""
    if known is None or not known.sure or not asks_why(question):
        return False
    same = (each for each in hints if each.unit == known.unit and each.text_hash == text_hash)
    return not any(each.question and known.says in each.text for each in same)
