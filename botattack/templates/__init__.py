"""Templates: values placed inside a JSON value, structurally and bounded."""

from botattack.templates.filters import MAX_OUTPUT, TemplateError
from botattack.templates.template import HOLE, PLACEHOLDERS, Filled, Template, literal

__all__ = ["HOLE", "MAX_OUTPUT", "PLACEHOLDERS", "Filled", "Template", "TemplateError", "literal"]
