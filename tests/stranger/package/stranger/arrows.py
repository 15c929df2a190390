"""A format of questions: `question -> answer -> passage` on each line."""

from botattack.model import GoldAnswer, Question
from botattack.protocols import BadRecord


def read(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match line.split(" -> "):
            case question, answer, passage:
                yield Question(question, (GoldAnswer(answer),), passages=(passage,))
            case _:
                yield BadRecord(number, "it has no two arrows")
