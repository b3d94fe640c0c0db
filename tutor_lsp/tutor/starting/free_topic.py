"""A topic in the learner's own words."""

from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.tutor.services.services import Services


async def fitting_node(
    services: Services, topic: str, language: str, only_there: bool
) -> Node | None:
    """The node that a free topic is mapped to, None where there is none or a model may make what
    it asks for. Other languages are searched where this one has nothing, unless `only_there`.
    """

    def found(each: str, *, bundled: bool) -> Node | None:
        fitting = (node for node, _ in services.curriculum.match_topic(topic, each))
        have = (node for node in fitting if not bundled or services.library.find(node.id, 1))
        return next(have, None)

    here = found(language, bundled=True)
    if here is not None or await services.backends.model_available():
        return here
    others = [] if only_there else [each for each in services.taught if each != language]
    anywhere = (found(each, bundled=True) for each in others)
    return found(language, bundled=False) or next(filter(None, anywhere), None)
