"""The plug points (attacks, matchers, bots …). A plug subclasses one of these and is named in `registry` or by an entry
point; nothing else is required. Methods that a base class does not make abstract have a default that suits every
plug."""

from __future__ import annotations

from botattack.protocols.attacks import ENGLISH, Attack, Context, Needing, PartsByName, Play, Proposals, are_needs
from botattack.protocols.plugs import BadRecord, Matcher, NeedHandler, Opinion, Part, PartInfo, QuestionReader, Report
from botattack.protocols.targets import Explained, Learn, Mask, Masks, Pace, Session, Target, TargetKind, Tell, Unpaced

__all__ = [
    "ENGLISH",
    "Attack",
    "BadRecord",
    "Context",
    "Explained",
    "Learn",
    "Mask",
    "Masks",
    "Matcher",
    "NeedHandler",
    "Needing",
    "Opinion",
    "Pace",
    "Part",
    "PartInfo",
    "PartsByName",
    "Play",
    "Proposals",
    "QuestionReader",
    "Report",
    "Session",
    "Target",
    "TargetKind",
    "Tell",
    "Unpaced",
    "are_needs",
]
