"""`botattack init --for PRODUCT`: the target file for a product, as the user's own."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from botattack.cli.shared_flags import say

_ENV = re.compile(r"^env: \[(.*)\]", re.MULTILINE)
_CONSENT = re.compile(r"^# consent: .*$", re.MULTILINE)


def target_for(given: dict[str, Any], name: str) -> tuple[str, Sequence[str], bool]:
    """The file, the environment names in it, and that nothing of it was proven; says what is to be filled in."""
    from botattack.audit.starting.shapes import file_for, product_named, products, to_fill_in
    from botattack.audit.starting.trial import PLAIN

    product = product_named(given["product"])
    text = file_for(product, name)
    if given["authorised_by"]:
        who, until = json.dumps(given["authorised_by"], ensure_ascii=False), given["until"]
        text = _CONSENT.sub(lambda _: f"consent: {{authorised_by: {who}, until: {until}}}", text)
    say(f"shape      {products()[product].stem}, for {product}; written from public documentation")
    if words := to_fill_in(text):
        say(f"fill in    {', '.join(words)}")
    given["asks"] = given["asks"] or PLAIN[:1]
    found = _ENV.search(text)
    return text, tuple(found[1].split(", ")) if found else (), False
