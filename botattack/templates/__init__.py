"""Templates: values placed inside a JSON value, structurally and bounded."""

from botattack.templates.filters import MAX_OUTPUT, TemplateError
from botattack.templates.template import PLACEHOLDERS, Filled, Template

__all__ = ["MAX_OUTPUT", "PLACEHOLDERS", "Filled", "Template", "TemplateError"]
