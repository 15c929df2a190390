"""The text of a crontab, with and without our jobs."""

from __future__ import annotations

from botattack.audit.nights.job_files import NOTE


def placed(crontab: str, text: str) -> str:
    """A crontab with a job at its end, or, if that has no time zone, before the first that has: it would be taken
    over from there."""
    lines = crontab.splitlines(keepends=True)
    zoned = next((index for index, line in enumerate(lines) if line.startswith("CRON_TZ=")), None)
    if zoned is None or "\nCRON_TZ=" in text:
        return crontab + text
    while zoned and lines[zoned - 1].startswith("#"):
        zoned -= 1
    return "".join([*lines[:zoned], text, *lines[zoned:]])


def without(crontab: str, label: str) -> str:
    """A crontab without the lines of one of our jobs."""
    kept: list[str] = []
    lines = iter(crontab.splitlines(keepends=True))
    for line in lines:
        if line.strip() == f"# {label}":
            while next(lines, "").startswith((NOTE, "CRON_TZ=")):
                pass
            continue
        kept.append(line)
    text = "".join(kept)
    return text if not text or text.endswith("\n") else text + "\n"
