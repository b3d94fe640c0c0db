"""What Rust knows of units that ask what a program gives."""

from collections.abc import Sequence

from tutor_lsp.core.language.predictions import Answers
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.rust.predict import answers, trace


class RustPredictions:
    """See `core.language.predictions.Predictions`."""

    def answers(self, text: str) -> Answers:
        return answers.answers(text)

    def traced(
        self, files: Files, program: Sequence[str], test_file: str, test: str
    ) -> dict[str, str]:
        return trace.traced(files, program, test_file, test)
