"""What a learner wrote into a file that is gone."""

from tutor_lsp.core.session import ELSEWHERE
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services


async def last_texts(services: Services, opened: OpenExercise) -> dict[str, str]:
    """The last known text of each exercise file that the learner changed: as it was last seen here,
    else as the last run of any program read it."""

    def work(tx: Transaction) -> dict[str, str]:
        found: dict[str, str] = {}
        # Records of earlier versions have the texts of attempts only.
        for event in tx.events(session=opened.session.id, kind="attempt"):
            if not event["data"].get(ELSEWHERE):
                found.update(event["data"].get("files", {}))
        return {**found, **tx.stub_texts(opened.session.id)}

    known = {**await services.db(work), **opened.seen_texts}
    given = {**opened.vault.originals, **opened.exercise.starter}
    return {
        file: text
        for file, text in known.items()
        if file in given and text not in ("", given[file])
    }
