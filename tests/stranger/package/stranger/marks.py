"""A language part, which the opinion uses."""

from botattack.protocols import NeedHandler, PartInfo


class Marks(NeedHandler):
    """Counts exclamation marks."""

    info = PartInfo("marks", "1", "public domain", "0" * 64)
    result_type = int

    def meet(self, payloads):
        return [text.count("!") for text in payloads]


load = Marks
