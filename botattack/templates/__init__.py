"""Templates: values placed inside a JSON value, structurally and bounded."""

from botattack.templates.filters import MAX_OUTPUT, TemplateError, uuid_of
from botattack.templates.template import HOLE, PLACEHOLDERS, Filled, Template, literal

__all__ = ["HOLE", "MAX_OUTPUT", "PLACEHOLDERS", "Filled", "Template", "TemplateError", "literal", "uuid_of"]
