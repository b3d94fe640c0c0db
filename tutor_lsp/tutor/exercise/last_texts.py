"""What a learner wrote into a file that is not there any more."""

from typing import TYPE_CHECKING

from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import ELSEWHERE

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


async def last_texts(app: "App", opened: "OpenExercise") -> dict[str, str]:
    """The last text that is known of each file of the exercise, where the learner changed it: as
    it was last seen here, else as the last run of any program found it."""

    def work(tx: Transaction) -> dict[str, str]:
        found: dict[str, str] = {}
        # Records of earlier versions have the texts of attempts only.
        for event in tx.events(session=opened.session.id, kind="attempt"):
            if not event["data"].get(ELSEWHERE):
                found.update(event["data"].get("files", {}))
        return {**found, **tx.stub_texts(opened.session.id)}

    known = {**await app.db(work), **opened.seen_texts}
    given = {**opened.vault.originals, **opened.exercise.starter}
    return {
        file: text
        for file, text in known.items()
        if file in given and text not in ("", given[file])
    }
