"""Keys of a target file that stand at the wrong level, said in one sentence instead of one for each."""

from __future__ import annotations

from collections.abc import Mapping

from botattack.config.checking import Checker, keys_at, validator_schema


def misplaced(checker: Checker, given: Mapping[str, object], top: type) -> None:
    """Raises ConfigError if keys of the file or of `connect` belong below another: all else would follow from that."""
    from botattack.registry import BrokenPlugin, find, names

    connect = given.get("connect")
    inside: Mapping[str, object] = connect if isinstance(connect, dict) else {}
    kind = inside.get("kind", given.get("kind", "http"))
    if not isinstance(kind, str) or kind not in names("targets"):
        return
    try:
        schema = validator_schema(find("targets", kind))
    except BrokenPlugin:
        return  # whoever reads its options says so
    levels: dict[tuple[str, ...], list[str]] = {("connect",): ["kind", *keys_at(schema, ())]}
    levels |= {("connect", key): found for key in levels["connect",] if (found := keys_at(schema, (key,)))}
    known = keys_at(validator_schema(top), ())
    lost: list[tuple[str, ...]] = [(key,) for key in given if key not in known]
    lost += [("connect", key) for key in inside if key not in levels["connect",]]
    belong: dict[tuple[str, ...], list[str]] = {}
    for place in lost:
        if level := next((level for level, keys in levels.items() if place[-1] in keys), None):
            belong.setdefault(level, []).append(place[-1])
    if not belong:
        return
    told = (f"{' and '.join(keys)} below `{': '.join(level)}:`" for level, keys in belong.items())
    first = next(place for place in lost if any(place[-1] in keys for keys in belong.values()))
    hint = "indent them so; docs/own-bot.md has a whole file"
    checker.wrong(first, f"at the wrong level: write {', '.join(told)}", hint, at_key=True)
    checker.finish()
